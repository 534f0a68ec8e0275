//! What each instruction does, by the Java Language Specification and the documentation of
//! java.util.concurrent.

use super::ast::{Atomic, Cls, Exc, FieldId, MethodId, Op};
use super::code::{Instr, Value};
use super::known::Who;
use super::machine::{Step, object};
use super::state::{CodeId, Event, Init, Purpose, Status};

impl Step<'_, '_> {
    /// Executes the instruction that the thread stands before.
    pub(super) fn execute(&mut self) {
        let machine = self.machine;
        let frame = self.frame();
        let instr = &machine.of(frame.code).instrs[frame.pc];
        match instr {
            Instr::Push(value) => self.done(value.clone()),
            Instr::Load(slot) => {
                let value = self.frame().locals[*slot].clone();
                self.done(value);
            }
            Instr::Store(slot) => {
                let value = self.pop();
                self.frame().locals[*slot] = value;
                self.frame().pc += 1;
            }
            Instr::Check(low, high) => {
                let fits = matches!(self.frame().stack.last(), Some(Value::Int(i)) if low <= i && i <= high);
                if !fits {
                    self.range_error();
                }
                self.frame().pc += 1;
            }
            Instr::Pop => {
                self.pop();
                self.frame().pc += 1;
            }
            Instr::Dup => {
                let top = self.pop();
                self.push(top.clone());
                self.done(top);
            }
            Instr::DupX1 => {
                let (b, a) = (self.pop(), self.pop());
                self.push(b.clone());
                self.push(a);
                self.done(b);
            }
            Instr::Jump(to) => self.frame().pc = *to,
            Instr::Branch(when, to) => {
                let jump = self.pop() == Value::Bool(*when);
                let next = if jump { *to } else { self.frame().pc + 1 };
                self.frame().pc = next;
            }
            Instr::Bin(op) => self.binary(*op),
            Instr::Not => {
                let negated = self.pop() == Value::Bool(false);
                self.done(Value::Bool(negated));
            }
            Instr::Neg => match self.pop() {
                Value::Int(i) => self.done(Value::Int(i.wrapping_neg())),
                other => self.done(other),
            },
            Instr::GetStatic(field) => self.get_static(*field),
            Instr::PutStatic(field) => self.put_static(*field),
            Instr::GetField(field) => self.get_field(*field),
            Instr::PutField(field) => self.put_field(*field),
            Instr::Initialize(class) => {
                if self.first_use(*class) {
                    self.frame().pc += 1;
                }
            }
            Instr::New(class, args) => self.create(*class, *args),
            Instr::Static(id) => self.call_static(*id),
            Instr::Call(id) => self.call(*id),
            Instr::Return(with) => self.give_back(*with),
            Instr::Throw(exc) => self.throw(*exc),
            Instr::Rethrow => match self.pop() {
                Value::Exc(exc) => self.rethrow(exc),
                _ => self.throw(Exc::Null),
            },
            Instr::AssertFail => {
                self.events.push(Event::Assertion);
                self.throw(Exc::Assertion);
            }
            Instr::Turn => self.frame().pc += 1,
            Instr::Cast(_)
            | Instr::InstanceOf(_)
            | Instr::Unbox
            | Instr::Text
            | Instr::ToString
            | Instr::Concat
            | Instr::Length
            | Instr::Equals => self.value(instr),
            _ => self.library(instr),
        }
    }

    /// An exception that was thrown before is thrown on: no new misuse.
    fn rethrow(&mut self, exc: Exc) {
        let before = self.events.len();
        self.throw(exc);
        if self.events.get(before) == Some(&Event::Misuse) {
            self.events.remove(before);
        }
    }

    fn binary(&mut self, op: Op) {
        let (b, a) = (self.pop(), self.pop());
        let result = match (op, a, b) {
            (Op::Eq, a, b) => Value::Bool(a == b),
            (Op::Ne, a, b) => Value::Bool(a != b),
            (Op::Both, Value::Bool(a), Value::Bool(b)) => Value::Bool(a && b),
            (Op::Xor, Value::Bool(a), Value::Bool(b)) => Value::Bool(a != b),
            (Op::Lt, Value::Int(a), Value::Int(b)) => Value::Bool(a < b),
            (Op::Le, Value::Int(a), Value::Int(b)) => Value::Bool(a <= b),
            (Op::Add, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_add(b)),
            (Op::Sub, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_sub(b)),
            (Op::Mul, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_mul(b)),
            (Op::Div | Op::Rem, _, Value::Int(0)) => return self.throw(Exc::Arithmetic),
            (Op::Div, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_div(b)),
            (Op::Rem, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_rem(b)),
            _ => Value::Null,
        };
        self.done(result);
    }

    /// True if the class can be used; else its initializer runs first, or the use throws.
    fn first_use(&mut self, class: usize) -> bool {
        match self.state.classes[class] {
            Init::Done => {
                self.state.known.tell(Who::Class(class), Who::Thread(self.me));
                self.frame().again = false;
                true
            }
            Init::By(_) => true,
            Init::Failed => {
                self.throw(Exc::NoClass);
                false
            }
            Init::Untouched => {
                self.state.classes[class] = Init::By(self.me);
                self.frame().again = true;
                self.enter(CodeId::Initializer(class), Vec::new(), Purpose::First);
                false
            }
        }
    }

    /// Reads or writes of a field that is volatile order; others may race.
    fn accessed(&mut self, field: FieldId, on: Option<u8>, write: bool) {
        let program = self.machine.program;
        let declared = program.field(field);
        let place = match on {
            None => {
                let before: usize = program.classes[..field.class].iter().map(|c| c.fields.len()).sum();
                before + field.field
            }
            Some(on) => (usize::from(on) + 1) * 16 + 512 + self.offset(field),
        };
        if declared.volatile {
            let who = on.map_or(Who::Static(place), Who::Field);
            let me = Who::Thread(self.me);
            let (from, to) = if write { (me, who) } else { (who, me) };
            return self.state.known.tell(from, to);
        }
        if self.state.known.access(place as u16, self.me, write) {
            self.events.push(Event::Race(declared.name.clone()));
        }
    }

    fn get_static(&mut self, field: FieldId) {
        if self.first_use(field.class) {
            if !super::print::is_settled(self.machine.program, field) {
                self.accessed(field, None, false);
            }
            let value = self.state.statics[field.class][field.field].clone();
            self.done(value);
        }
    }

    fn put_static(&mut self, field: FieldId) {
        if self.first_use(field.class) {
            self.accessed(field, None, true);
            let value = self.pop();
            self.state.statics[field.class][field.field] = value;
            self.frame().pc += 1;
        }
    }

    fn get_field(&mut self, field: FieldId) {
        let Value::Ref(on) = self.pop() else {
            return self.throw(Exc::Null);
        };
        self.accessed(field, Some(on), false);
        let at = self.offset(field);
        let value = self.state.objects[usize::from(on)].fields[at].clone();
        self.done(value);
    }

    fn put_field(&mut self, field: FieldId) {
        let value = self.pop();
        let Value::Ref(on) = self.pop() else {
            return self.throw(Exc::Null);
        };
        self.accessed(field, Some(on), true);
        let at = self.offset(field);
        self.state.objects[usize::from(on)].fields[at] = value;
        self.frame().pc += 1;
    }

    fn create(&mut self, class: Cls, count: usize) {
        let mut args: Vec<_> = (0..count).map(|_| self.pop()).collect();
        args.reverse();
        let Cls::Own(own) = class else {
            let fields = match (class, args.is_empty()) {
                (Cls::AtomicInt, true) => vec![Value::Int(0)],
                (Cls::AtomicBool | Cls::Executor, true) => vec![Value::Bool(false)],
                (Cls::AtomicRef, true) => vec![Value::Null],
                _ => args,
            };
            let new = self.allocate(object(class, fields));
            return self.done(Value::Ref(new));
        };
        let fields = self.blank(own);
        let new = self.allocate(object(class, fields));
        self.push(Value::Ref(new));
        // Parents are set up first; the innermost call is pushed last.
        let mut line = vec![own];
        while let Some(parent) = self.machine.program.classes[line[line.len() - 1]].parent {
            line.push(parent);
        }
        self.assign_parameters(own, new, args);
        for (nth, class) in line.into_iter().enumerate() {
            let purpose = if nth == 0 { Purpose::Instance } else { Purpose::First };
            self.enter(CodeId::Instance(class), vec![Value::Ref(new)], purpose);
        }
    }

    /// The constructor assigns its parameters; no initializer of the same fields exists.
    fn assign_parameters(&mut self, class: usize, new: u8, args: Vec<Value>) {
        let fields = self.machine.program.classes[class].constructor.clone();
        for (field, value) in fields.into_iter().zip(args) {
            let field = FieldId { class, field };
            self.accessed(field, Some(new), true);
            let at = self.offset(field);
            self.state.objects[usize::from(new)].fields[at] = value;
        }
    }

    fn call_static(&mut self, id: MethodId) {
        if !self.first_use(id.class) {
            return;
        }
        let code = self.machine.code.method(id);
        let mut args: Vec<_> = (0..code.params).map(|_| self.pop()).collect();
        args.push(Value::Null);
        args.reverse();
        if code.synced {
            self.acquire(id.class as u8);
        }
        self.enter(CodeId::Method(id.class, id.method), args, Purpose::Call);
        self.frame().monitor = code.synced.then_some(id.class as u8);
    }

    fn call(&mut self, id: MethodId) {
        let program = self.machine.program;
        let mut args: Vec<_> = (0..=program.method(id).params.len()).map(|_| self.pop()).collect();
        args.reverse();
        let Value::Ref(on) = args[0] else {
            return self.throw(Exc::Null);
        };
        self.call_on(on, &program.method(id).name, args, Purpose::Call);
    }

    /// False if the class has no such method of its own.
    pub(super) fn call_on(&mut self, on: u8, name: &str, args: Vec<Value>, how: Purpose) -> bool {
        let program = self.machine.program;
        let Cls::Own(class) = self.state.objects[usize::from(on)].class else {
            return false;
        };
        let Some(id) = program.dispatch(class, name) else {
            return false;
        };
        let synced = program.method(id).synced;
        if synced {
            self.acquire(on);
        }
        self.enter(CodeId::Method(id.class, id.method), args, how);
        self.frame().monitor = synced.then_some(on);
        true
    }

    fn give_back(&mut self, with: bool) {
        let value = with.then(|| self.pop());
        let machine = self.machine;
        let range = machine.of(self.frame().code).result;
        if let (Some((low, high)), Some(Value::Int(i))) = (range, &value)
            && !(low..=high).contains(i)
        {
            self.range_error();
        }
        self.leave(value);
    }

    fn library(&mut self, instr: &Instr) {
        let args = match instr {
            Instr::Submit(_) => 1,
            Instr::Atomic(Atomic::CompareAndSet, _) => 2,
            Instr::Atomic(Atomic::Set | Atomic::GetAndSet, _) => 1,
            _ => 0,
        };
        let mut args: Vec<_> = (0..args).map(|_| self.pop()).collect();
        args.reverse();
        let Value::Ref(on) = self.pop() else {
            return self.throw(Exc::Null);
        };
        let owner = self.state.objects[usize::from(on)].owner;
        let mine = owner.is_some_and(|(who, _)| who == self.me);
        match instr {
            Instr::Enter | Instr::Lock => {
                self.acquire(on);
                self.frame().pc += 1;
            }
            Instr::Exit => {
                self.release(on);
                self.frame().pc += 1;
            }
            Instr::Unlock if !mine => self.throw(Exc::Monitor),
            Instr::Unlock => {
                self.release(on);
                self.frame().pc += 1;
            }
            Instr::TryLock => {
                let free = owner.is_none() || mine;
                if free {
                    self.acquire(on);
                }
                self.done(Value::Bool(free));
            }
            Instr::Wait | Instr::Await => self.wait(on),
            Instr::Notify(all) => self.notify(on, on, *all),
            Instr::Signal(all) => {
                let lock = self.lock_of(on);
                self.notify(on, lock, *all);
            }
            Instr::Start => self.start(on),
            Instr::Join => {
                if let Some(thread) = self.state.objects[usize::from(on)].thread {
                    self.state.known.tell(Who::Thread(thread), Who::Thread(self.me));
                }
                self.frame().pc += 1;
            }
            Instr::Submit(task) => self.submit(on, &args[0], *task),
            Instr::Shutdown => {
                self.state.objects[usize::from(on)].fields[0] = Value::Bool(true);
                self.frame().pc += 1;
            }
            Instr::Atomic(what, range) => self.atomic(on, *what, args, *range),
            _ => self.frame().pc += 1,
        }
    }

    fn lock_of(&self, condition: u8) -> u8 {
        match self.state.objects[usize::from(condition)].fields.first() {
            Some(Value::Ref(lock)) => *lock,
            _ => condition,
        }
    }

    fn wait(&mut self, on: u8) {
        let is_condition = self.state.objects[usize::from(on)].class == Cls::Condition;
        let monitor = if is_condition { self.lock_of(on) } else { on };
        let me = self.me;
        match self.state.objects[usize::from(monitor)].owner {
            Some((who, count)) if who == me => {
                self.state.objects[usize::from(monitor)].owner = None;
                self.state.known.tell(Who::Thread(me), Who::Object(monitor));
                self.state.objects[usize::from(on)].waiting.push(me);
                self.thread().status = Status::Waiting(on, count);
            }
            _ => self.throw(Exc::Monitor),
        }
    }

    fn notify(&mut self, on: u8, monitor: u8, all: bool) {
        let owner = self.state.objects[usize::from(monitor)].owner;
        if owner.is_none_or(|(who, _)| who != self.me) {
            return self.throw(Exc::Monitor);
        }
        let waiting = &mut self.state.objects[usize::from(on)].waiting;
        if all {
            self.wake_all(on);
        } else if !waiting.is_empty() {
            let chosen = waiting.remove(self.choice.min(waiting.len() - 1));
            self.wake(chosen);
        }
        self.frame().pc += 1;
    }

    fn start(&mut self, on: u8) {
        let started = &self.state.objects[usize::from(on)];
        if started.thread.is_some() {
            return self.throw(Exc::ThreadState);
        }
        let run = match (started.class, started.fields.first()) {
            (Cls::Thread, Some(Value::Ref(run))) => Some(*run),
            (Cls::Thread, _) => None,
            _ => Some(on),
        };
        self.frame().pc += 1;
        self.begin(run, Some(on), false);
    }

    fn submit(&mut self, on: u8, task: &Value, future: bool) {
        let Value::Ref(task) = task else {
            return self.throw(Exc::Null);
        };
        if self.state.objects[usize::from(on)].fields.first() == Some(&Value::Bool(true)) {
            return self.throw(Exc::Rejected);
        }
        self.frame().pc += 1;
        self.begin(Some(*task), None, future);
    }

    fn atomic(&mut self, on: u8, what: Atomic, mut args: Vec<Value>, range: Option<(i32, i32)>) {
        let me = Who::Thread(self.me);
        let old = self.state.objects[usize::from(on)].fields[0].clone();
        let plus = |by: i32| match &old {
            Value::Int(i) => Value::Int(i.wrapping_add(by)),
            other => other.clone(),
        };
        let (new, result) = match what {
            Atomic::Get => (None, Some(old)),
            Atomic::Set => (args.pop(), None),
            Atomic::CompareAndSet if old == args[0] => (args.pop(), Some(Value::Bool(true))),
            Atomic::CompareAndSet => (None, Some(Value::Bool(false))),
            Atomic::GetAndIncrement => (Some(plus(1)), Some(old)),
            Atomic::IncrementAndGet => (Some(plus(1)), Some(plus(1))),
            Atomic::DecrementAndGet => (Some(plus(-1)), Some(plus(-1))),
            Atomic::GetAndSet => (args.pop(), Some(old)),
        };
        if what != Atomic::Set {
            self.state.known.tell(Who::Object(on), me);
        }
        if let Some(new) = new {
            if let (Some((low, high)), Value::Int(i)) = (range, &new)
                && !(low..=high).contains(i)
            {
                self.range_error();
            }
            self.state.known.tell(me, Who::Object(on));
            self.state.objects[usize::from(on)].fields[0] = new;
        }
        match result {
            Some(result) => self.done(result),
            None => self.frame().pc += 1,
        }
    }

    /// Casts, unboxing and texts.
    fn value(&mut self, instr: &Instr) {
        let top = self.pop();
        let class = match &top {
            Value::Ref(object) => Some(self.state.objects[usize::from(*object)].class),
            _ => None,
        };
        let program = self.machine.program;
        match (instr, &top) {
            (Instr::Cast(to), _) => match class {
                Some(class) if !program.is(class, *to) => self.throw(Exc::Cast),
                _ => self.done(top),
            },
            (Instr::InstanceOf(of), _) => {
                self.done(Value::Bool(class.is_some_and(|class| program.is(class, *of))));
            }
            (Instr::Unbox | Instr::Length | Instr::ToString, Value::Null) => self.throw(Exc::Null),
            (Instr::Unbox, _) => self.done(top),
            (Instr::Length, Value::Str(s)) => self.done(Value::Int(s.len() as i32)),
            (Instr::Text | Instr::ToString, Value::Ref(on)) => {
                let how = if matches!(instr, Instr::Text) { Purpose::Text } else { Purpose::Call };
                if !self.call_on(*on, "toString", vec![top.clone()], how) {
                    self.done(Value::Str("object".into()));
                }
            }
            (Instr::Text | Instr::ToString, _) => {
                let text = self.text(&top);
                self.done(Value::Str(text.into()));
            }
            (Instr::Concat, _) => {
                let first = self.pop();
                let text = self.text(&first) + &self.text(&top);
                self.done(Value::Str(text.into()));
            }
            _ => {
                let on = self.pop();
                self.equals(on, top);
            }
        }
    }

    fn equals(&mut self, on: Value, other: Value) {
        match &on {
            Value::Null => self.throw(Exc::Null),
            Value::Ref(object) => {
                let args = vec![on.clone(), other.clone()];
                if !self.call_on(*object, "equals", args, Purpose::Call) {
                    self.done(Value::Bool(on == other));
                }
            }
            _ => self.done(Value::Bool(on == other)),
        }
    }
}
