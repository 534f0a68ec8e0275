//! One step of one thread: a visible instruction and what follows it up to the next one.

use super::ast::{Cls, Exc, Expr, FieldId, Kind, MethodId, Place, Program};
use super::code::{Code, Instr, Value, default};
use super::compile::Compiled;
use super::known::{MOST_OBJECTS, MOST_THREADS, Who};
use super::state::{CodeId, Event, Frame, Init, Object, Purpose, State, Status, Thread};

/// How deep calls may be.
const DEEPEST: usize = 24;

/// A program that can be stepped.
pub struct Machine<'a> {
    pub code: Compiled<'a>,
    pub program: &'a Program,
    /// Does the program wait on threads? Then the end of one is a step of its own.
    waits_on_threads: bool,
}

/// A step on its way: the state that it makes, and what went wrong.
pub(super) struct Step<'a, 'b> {
    pub(super) machine: &'b Machine<'a>,
    pub(super) state: State,
    pub(super) me: u8,
    pub(super) events: Vec<Event>,
    /// Which waiter is notified.
    pub(super) choice: usize,
    /// Threads that this step began.
    pub(super) begun: Vec<u8>,
}

impl<'a> Machine<'a> {
    pub fn new(code: Compiled<'a>) -> Machine<'a> {
        let program = code.program;
        let mut waits_on_threads = false;
        for class in &program.classes {
            super::walk::statements_of(class, &mut |stmt| {
                waits_on_threads |= matches!(stmt.kind, Kind::Wait(Expr::Read(Place::Local(_))));
            });
        }
        Machine { code, program, waits_on_threads }
    }

    pub(super) fn of(&self, id: CodeId) -> &Code {
        match id {
            CodeId::Method(class, method) => &self.code.methods[class][method],
            CodeId::Initializer(class) => match &self.code.initializers[class] {
                Some(code) => code,
                None => &self.code.instances[class],
            },
            CodeId::Instance(class) => &self.code.instances[class],
        }
    }

    /// Where `main` begins, after what is not visible to others.
    pub fn initial(&self) -> (State, Vec<Event>) {
        let program = self.program;
        let values = |class: &super::ast::Class| class.fields.iter().map(|f| default(f.ty)).collect();
        let classes = 0..program.classes.len();
        let first = |class: usize| match &self.code.initializers[class] {
            None => Init::Done,
            Some(_) => Init::Untouched,
        };
        let state = State {
            objects: classes.clone().map(|_| object(Cls::Object, Vec::new())).collect(),
            statics: program.classes.iter().map(values).collect(),
            classes: classes.map(first).collect(),
            threads: Vec::new(),
            known: super::known::Known::default(),
            erred: false,
            over: false,
        };
        let mut step = Step { machine: self, state, me: 0, events: Vec::new(), choice: 0, begun: Vec::new() };
        let main = program.classes[0].methods.iter().position(|m| m.name == "main").unwrap_or(0);
        step.state.threads.push(thread(None, false));
        step.enter(CodeId::Method(0, main), Vec::new(), Purpose::Call);
        if self.code.initializers[0].is_some() {
            step.state.classes[0] = Init::By(0);
            step.enter(CodeId::Initializer(0), Vec::new(), Purpose::First);
        }
        step.finish()
    }

    /// The gate (if there is one) and the statement of a thread's next step.
    pub fn next(&self, state: &State, who: u8) -> (Option<u32>, u32) {
        let thread = &state.threads[usize::from(who)];
        let Some(frame) = thread.frames.last() else {
            return (None, 0);
        };
        let code = self.of(frame.code);
        let woken = thread.status != Status::Ready;
        let gate = if frame.again || woken { None } else { code.gates[frame.pc] };
        (gate, code.statements[frame.pc])
    }

    /// In how many ways can the thread go on? None if it is blocked.
    pub fn choices(&self, state: &State, who: u8) -> usize {
        let thread = &state.threads[usize::from(who)];
        let free = |object: u8| match state.objects[usize::from(object)].owner {
            Some((owner, _)) => usize::from(owner == who),
            None => 1,
        };
        if thread.status == Status::Ending {
            return thread.object.map_or(1, free);
        }
        let Some(frame) = thread.frames.last() else {
            return 0;
        };
        match thread.status {
            Status::Ending | Status::Ended | Status::Waiting(..) => return 0,
            Status::Woken(on, _) => return free(self.monitor(state, on)),
            Status::Ready => {}
        }
        if state.over {
            return 0;
        }
        let top = |depth: usize| match frame.stack.len().checked_sub(depth + 1) {
            Some(at) => frame.stack[at].clone(),
            None => Value::Null,
        };
        let class_free = |class: usize| match state.classes[class] {
            Init::By(by) => usize::from(by == who),
            _ => 1,
        };
        match &self.of(frame.code).instrs[frame.pc] {
            Instr::Enter | Instr::Lock => match top(0) {
                Value::Ref(object) => free(object),
                _ => 1,
            },
            Instr::Call(id) => match top(self.program.method(*id).params.len()) {
                Value::Ref(object) if self.program.method(*id).synced => free(object),
                _ => 1,
            },
            Instr::Static(id) if self.program.method(*id).synced => {
                class_free(id.class).min(free(id.class as u8))
            }
            Instr::Static(MethodId { class, .. })
            | Instr::GetStatic(FieldId { class, .. })
            | Instr::PutStatic(FieldId { class, .. })
            | Instr::Initialize(class) => class_free(*class),
            Instr::Join => match top(0) {
                Value::Ref(object) => match state.objects[usize::from(object)].thread {
                    Some(t) => usize::from(state.threads[usize::from(t)].status == Status::Ended),
                    None => 1,
                },
                _ => 1,
            },
            Instr::Notify(false) => match top(0) {
                Value::Ref(object) => state.objects[usize::from(object)].waiting.len().max(1),
                _ => 1,
            },
            _ => 1,
        }
    }

    /// The monitor (or lock) that a wait on an object gives back.
    fn monitor(&self, state: &State, on: u8) -> u8 {
        let object = &state.objects[usize::from(on)];
        match (object.class, object.fields.first()) {
            (Cls::Condition, Some(Value::Ref(lock))) => *lock,
            _ => on,
        }
    }

    /// The state after a step of a thread that can go on.
    pub fn step(&self, state: &State, who: u8, choice: usize) -> (State, Vec<Event>) {
        let mut step = Step {
            machine: self,
            state: state.clone(),
            me: who,
            events: Vec::new(),
            choice,
            begun: Vec::new(),
        };
        if let Status::Woken(on, count) = state.threads[usize::from(who)].status {
            let monitor = self.monitor(state, on);
            step.state.objects[usize::from(monitor)].owner = Some((who, count));
            step.state.known.tell(Who::Object(monitor), Who::Thread(who));
            step.thread().status = Status::Ready;
            step.frame().pc += 1;
        } else if state.threads[usize::from(who)].status == Status::Ending {
            step.ended();
        } else {
            step.execute();
        }
        step.finish()
    }
}

pub(super) fn object(class: Cls, fields: Vec<Value>) -> Object {
    Object { class, fields, owner: None, waiting: Vec::new(), thread: None }
}

pub(super) fn thread(object: Option<u8>, task: bool) -> Thread {
    Thread { frames: Vec::new(), status: Status::Ready, object, uncaught: None, task }
}

impl Step<'_, '_> {
    pub(super) fn thread(&mut self) -> &mut Thread {
        &mut self.state.threads[usize::from(self.me)]
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        let frames = &mut self.thread().frames;
        let last = frames.len() - 1;
        &mut frames[last]
    }

    pub(super) fn pop(&mut self) -> Value {
        self.frame().stack.pop().unwrap_or(Value::Null)
    }

    pub(super) fn push(&mut self, value: Value) {
        self.frame().stack.push(value);
    }

    /// Pushes the result of an instruction that is done.
    pub(super) fn done(&mut self, value: Value) {
        self.push(value);
        self.frame().pc += 1;
    }

    /// Goes on until every thread that moved stands before a visible instruction, blocked or not.
    fn finish(mut self) -> (State, Vec<Event>) {
        let mine = self.me;
        self.run_quietly();
        while let Some(next) = self.begun.pop() {
            self.me = next;
            self.run_quietly();
        }
        self.me = mine;
        let live = self.state.live();
        self.state.known.tidy(live);
        let bad = |e: &Event| matches!(e, Event::Uncaught(_) | Event::Assertion | Event::Range);
        self.state.erred |= self.events.iter().any(bad);
        (self.state, self.events)
    }

    fn run_quietly(&mut self) {
        while !self.state.over && self.thread().status == Status::Ready {
            let machine = self.machine;
            let Some(frame) = self.thread().frames.last() else {
                return;
            };
            if machine.of(frame.code).visible[frame.pc] {
                return;
            }
            self.execute();
        }
    }

    /// A new frame; the caller's instruction ends when it returns.
    pub(super) fn enter(&mut self, id: CodeId, args: Vec<Value>, purpose: Purpose) {
        let code = self.machine.of(id);
        let mut locals = args;
        locals.resize(code.locals.max(locals.len()), Value::Null);
        let frame =
            Frame { code: id, pc: 0, locals, stack: Vec::new(), purpose, monitor: None, again: false };
        if self.thread().frames.len() >= DEEPEST {
            self.events.push(Event::TooBig);
            self.state.over = true;
        }
        self.thread().frames.push(frame);
    }

    pub(super) fn range_error(&mut self) {
        self.events.push(Event::Range);
        self.state.over = true;
    }

    pub(super) fn allocate(&mut self, new: Object) -> u8 {
        if self.state.objects.len() >= MOST_OBJECTS {
            self.events.push(Event::TooBig);
            self.state.over = true;
        }
        self.state.objects.push(new);
        (self.state.objects.len() - 1) as u8
    }

    /// Starts a thread with the `run` of an object.
    pub(super) fn begin(&mut self, run: Option<u8>, object: Option<u8>, task: bool) {
        if self.state.threads.len() >= MOST_THREADS {
            self.events.push(Event::TooBig);
            self.state.over = true;
            return;
        }
        let number = self.state.threads.len() as u8;
        self.state.threads.push(thread(object, task));
        if let Some(object) = object {
            self.state.objects[usize::from(object)].thread = Some(number);
        }
        self.state.known.tell(Who::Thread(self.me), Who::Thread(number));
        let me = std::mem::replace(&mut self.me, number);
        let class = run.map(|run| self.state.objects[usize::from(run)].class);
        let method = match class {
            Some(Cls::Own(class)) => self.machine.program.dispatch(class, "run"),
            _ => None,
        };
        match (method, run) {
            (Some(id), Some(run)) => {
                let code = CodeId::Method(id.class, id.method);
                self.enter(code, vec![Value::Ref(run)], Purpose::Call);
            }
            _ => self.end(None),
        }
        self.me = me;
        self.begun.push(number);
    }

    /// The end of a thread; those who wait on its object are notified.
    pub(super) fn end(&mut self, uncaught: Option<Exc>) {
        let task = self.thread().task;
        if let Some(exc) = uncaught.filter(|_| !task) {
            self.thread().uncaught = Some(exc);
            self.events.push(Event::Uncaught(exc));
        }
        if self.machine.waits_on_threads && self.thread().object.is_some() {
            self.thread().status = Status::Ending;
        } else {
            self.thread().status = Status::Ended;
        }
    }

    /// The thread takes its own monitor, notifies and is gone.
    fn ended(&mut self) {
        self.thread().status = Status::Ended;
        if let Some(object) = self.thread().object {
            self.acquire(object);
            self.wake_all(object);
            self.release(object);
        }
    }

    pub(super) fn wake_all(&mut self, object: u8) {
        let waiting = std::mem::take(&mut self.state.objects[usize::from(object)].waiting);
        waiting.into_iter().for_each(|thread| self.wake(thread));
    }

    pub(super) fn wake(&mut self, thread: u8) {
        let thread = &mut self.state.threads[usize::from(thread)];
        if let Status::Waiting(on, count) = thread.status {
            thread.status = Status::Woken(on, count);
        }
    }

    /// Gives a monitor back once.
    pub(super) fn release(&mut self, object: u8) {
        let me = self.me;
        let owner = &mut self.state.objects[usize::from(object)].owner;
        *owner = match *owner {
            Some((who, count)) if count > 1 => Some((who, count - 1)),
            _ => None,
        };
        if owner.is_none() {
            self.state.known.tell(Who::Thread(me), Who::Object(object));
        }
    }

    pub(super) fn acquire(&mut self, object: u8) {
        let me = self.me;
        let owner = &mut self.state.objects[usize::from(object)].owner;
        *owner = Some((me, owner.map_or(1, |(_, count)| count + 1)));
        self.state.known.tell(Who::Object(object), Who::Thread(me));
    }

    /// Leaves the top frame with a result.
    pub(super) fn leave(&mut self, value: Option<Value>) {
        let Some(frame) = self.thread().frames.pop() else {
            return;
        };
        if let Some(monitor) = frame.monitor {
            self.release(monitor);
        }
        if let CodeId::Initializer(class) = frame.code {
            self.initialized(class, Init::Done);
        }
        if self.thread().frames.is_empty() {
            return self.end(None);
        }
        match frame.purpose {
            Purpose::Call => {
                if let Some(value) = value {
                    self.push(value);
                }
                self.frame().pc += 1;
            }
            Purpose::Text => {
                let text = match value {
                    Some(Value::Str(text)) => Value::Str(text),
                    _ => Value::Str("null".into()),
                };
                self.done(text);
            }
            Purpose::Instance => self.frame().pc += 1,
            Purpose::First => {}
        }
    }

    fn initialized(&mut self, class: usize, how: Init) {
        self.state.classes[class] = how;
        self.state.known.tell(Who::Thread(self.me), Who::Class(class));
    }

    /// Throws: the innermost handler that covers the instruction, in this frame or a caller's.
    pub(super) fn throw(&mut self, mut thrown: Exc) {
        if matches!(thrown, Exc::Null | Exc::Monitor | Exc::ThreadState | Exc::Rejected) {
            self.events.push(Event::Misuse);
        }
        loop {
            let machine = self.machine;
            let frame = self.frame();
            let code = machine.of(frame.code);
            let covers = |h: &&super::code::Handler| {
                h.from <= frame.pc && frame.pc < h.to && h.what.is_none_or(|what| what.catches(thrown))
            };
            if let Some(handler) = code.handlers.iter().find(covers) {
                frame.pc = handler.at;
                frame.again = false;
                frame.stack = vec![Value::Exc(thrown)];
                return;
            }
            let Some(frame) = self.thread().frames.pop() else {
                return;
            };
            if let Some(monitor) = frame.monitor {
                self.release(monitor);
            }
            if let CodeId::Initializer(class) = frame.code {
                self.initialized(class, Init::Failed);
                thrown = if thrown.is_error() { thrown } else { Exc::Initializer };
            }
            if self.thread().frames.is_empty() {
                return self.end(Some(thrown));
            }
        }
    }

    /// The default values of an instance, those of its parents included.
    pub(super) fn blank(&self, class: usize) -> Vec<Value> {
        let program = self.machine.program;
        let mut fields = program.classes[class].parent.map_or(Vec::new(), |p| self.blank(p));
        fields.extend(program.classes[class].fields.iter().map(|f| default(f.ty)));
        fields
    }

    /// Where a field lies in an instance: behind those of the parents of its class.
    pub(super) fn offset(&self, field: FieldId) -> usize {
        let program = self.machine.program;
        let above = program.classes[field.class].parent.map_or(0, |p| self.blank(p).len());
        above + field.field
    }

    pub(super) fn text(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Int(i) => i.to_string(),
            Value::Bool(b) => b.to_string(),
            Value::Str(s) => s.to_string(),
            Value::Ref(_) | Value::Exc(_) => "object".to_owned(),
        }
    }
}
