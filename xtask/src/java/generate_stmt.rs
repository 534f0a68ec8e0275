//! Random statements and bodies.

use super::ast::{Atomic, Catch, Cls, Exc, Expr, FieldId, Kind, Op, Place, Stmt, Type};
use super::generate::{
    DATA, Generator, HELPER, MAIN, SUB, TASK, Theme, WORKER, at, main_field, method_id, read,
};
use super::generate_expr::Scope;

const DATA_TYPE: Type = Type::Ref(Cls::Own(DATA));

fn main_read(field: usize) -> Expr {
    read(main_field(field))
}

impl Generator {
    /// Bodies of all methods.
    pub(super) fn bodies(&mut self) {
        for class in [HELPER, DATA, SUB, MAIN, WORKER, TASK] {
            for number in 0..self.program.classes[class].methods.len() {
                let method = self.program.classes[class].methods[number].clone();
                let mut scope = Scope {
                    class,
                    of_class: method.of_class,
                    locals: method.locals.clone(),
                    seen: (0..method.params.len()).collect(),
                    level: match (class, method.name.as_str()) {
                        (_, "main" | "run") => 3,
                        (MAIN, _) => 2,
                        _ => 1,
                    },
                    in_loop: false,
                    result: method.result,
                };
                let body = self.body(&method.name, &mut scope);
                let method = &mut self.program.classes[class].methods[number];
                (method.body, method.locals) = (body, scope.locals);
            }
        }
    }

    fn body(&mut self, name: &str, scope: &mut Scope) -> Vec<Stmt> {
        match name {
            "main" => self.main(scope),
            "run" => {
                let count = 1 + self.rng.below(2);
                let depth = 1 + self.rng.below(2);
                self.block(count, depth, scope)
            }
            "take" => self.take(scope),
            "give" => self.give(scope),
            "toString" => self.text_method(scope),
            "equals" => self.equals(scope),
            _ => self.returning(scope),
        }
    }

    fn this_field(&self, field: usize) -> Place {
        Place::Field(Box::new(Expr::This), FieldId { class: DATA, field })
    }

    fn do_(&mut self, expr: Expr) -> Stmt {
        self.stmt(Kind::Do(expr))
    }

    fn set(&mut self, place: Place, value: Expr) -> Stmt {
        self.do_(Expr::Assign(place, Box::new(value)))
    }

    fn take(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let full = read(self.this_field(1));
        let wait = self.stmt(Kind::Wait(Expr::This));
        let test = Expr::Not(Box::new(full));
        let guard = if self.rng.chance(70) {
            Kind::While(test, vec![wait])
        } else {
            Kind::If(test, vec![wait], Vec::new())
        };
        let guard = self.stmt(guard);
        let mut body = vec![guard];
        if self.rng.chance(30) {
            let assert = Kind::Assert(read(self.this_field(1)));
            body.push(self.stmt(assert));
        }
        let empty = self.set(self.this_field(1), Expr::Bool(false));
        body.push(empty);
        if self.rng.chance(50) {
            let more = self.block(1, 0, scope);
            body.extend(more);
        }
        body.extend(self.notification(Expr::This));
        body
    }

    fn give(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut body = Vec::new();
        if self.rng.chance(20) {
            body.extend(self.block(1, 0, scope));
        }
        body.push(self.set(self.this_field(1), Expr::Bool(true)));
        body.extend(self.notification(Expr::This));
        body
    }

    fn notification(&mut self, on: Expr) -> Option<Stmt> {
        let kind = match self.rng.below(10) {
            0..=4 => Kind::NotifyAll(on),
            5..=8 => Kind::Notify(on),
            _ => return None,
        };
        Some(self.stmt(kind))
    }

    fn text_method(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let name = read(self.this_field(3));
        let value = match self.rng.below(4) {
            0 => Expr::Str("d".to_owned()),
            1 => name,
            2 => Expr::ToString(Box::new(name)),
            _ => Expr::Concat(Box::new(Expr::Str("d".to_owned())), Box::new(name)),
        };
        let mut body = Vec::new();
        if self.rng.chance(30) {
            body.extend(self.block(1, 0, scope));
        }
        body.push(self.stmt(Kind::Return(Some(value))));
        body
    }

    fn equals(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut body = Vec::new();
        if self.rng.chance(30) {
            body.extend(self.block(1, 0, scope));
        }
        let other = read(Place::Local(0));
        let value = match self.rng.below(3) {
            0 => Expr::Bin(Op::Eq, Box::new(other), Box::new(Expr::This)),
            1 => Expr::InstanceOf(Box::new(other), Cls::Own(DATA)),
            _ => read(self.this_field(1)),
        };
        body.push(self.stmt(Kind::Return(Some(value))));
        body
    }

    /// A method with a result: sometimes out of a `try`, or out of its `finally`.
    fn returning(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let count = self.rng.below(2);
        let mut body = self.block(count, 1, scope);
        let result = scope.result;
        let back = |generator: &mut Generator, scope: &Scope| {
            let value = result.map(|ty| generator.expr(ty, 1, scope));
            generator.stmt(Kind::Return(value))
        };
        if self.has(Theme::Exceptions) && self.rng.chance(60) {
            let mut tried = if self.rng.chance(50) { self.throwing(scope) } else { Vec::new() };
            tried.push(back(self, scope));
            let catches = match self.rng.chance(50) {
                true => vec![(self.catch(), vec![back(self, scope)])],
                false => Vec::new(),
            };
            let mut last = if self.rng.chance(60) { self.block(1, 0, scope) } else { Vec::new() };
            if self.rng.chance(40) {
                last.push(back(self, scope));
            }
            body.push(self.stmt(Kind::Try(tried, catches, Some(last))));
            body.push(back(self, scope));
            // javac wants no statement that cannot be reached.
            if !super::print::completes(&body[..body.len() - 1]) {
                body.pop();
            }
        } else if result.is_some() || self.rng.chance(20) {
            body.push(back(self, scope));
        }
        body
    }

    /// A few statements; locals that they declare are in sight only here.
    pub(super) fn block(&mut self, count: usize, depth: usize, scope: &mut Scope) -> Vec<Stmt> {
        let seen = scope.seen.len();
        let mut body: Vec<Stmt> = Vec::new();
        for _ in 0..count {
            let more = self.statement(depth, scope);
            body.extend(more);
        }
        scope.seen.truncate(seen);
        body
    }

    pub(super) fn new_local(&mut self, ty: Type, scope: &mut Scope) -> usize {
        scope.locals.push(ty);
        scope.locals.len() - 1
    }

    fn statement(&mut self, depth: usize, scope: &mut Scope) -> Vec<Stmt> {
        let inner = depth > 0;
        let when = |there: bool, weight: usize| if there { weight } else { 0 };
        let top = scope.level == 3;
        let kinds = [
            (8, 0),
            (3, 1),
            (when(inner, 4), 2),
            (when(inner, 1), 3),
            (when(top, 1), 4),
            (2, 5),
            (when(inner && self.has(Theme::Exceptions), 8), 6),
            (when(inner && self.has(Theme::Monitors), 7), 7),
            (when(top && self.has(Theme::Waiting), 7), 8),
            (when(top && self.has(Theme::Flags), 4), 9),
            (when(inner && self.has(Theme::Locks), 7), 10),
            (when(self.has(Theme::Atomics), 4), 11),
            (when(top, 3), 12),
            (when(self.has(Theme::Order), 5), 13),
            (when(inner && self.has(Theme::Exceptions), 1), 14),
            (when(self.has(Theme::Casts), 3), 15),
            (1, 16),
            (when(top && self.has(Theme::Waiting), 1), 17),
        ];
        match self.rng.weighted(&kinds) {
            Some(1) => self.declaration(scope),
            Some(2) => self.branch(depth, scope),
            Some(3) => self.loop_(depth, scope),
            Some(4) => {
                let deep = self.depth();
                let test = self.expr(Type::Bool, deep, scope);
                vec![self.stmt(Kind::Assert(test))]
            }
            Some(5) => self.compound(scope),
            Some(6) => self.attempt(depth, scope),
            Some(7) => self.synced(depth, scope),
            Some(8) => self.waiting(scope),
            Some(9) => self.flag(scope),
            Some(10) => self.locked(depth, scope),
            Some(11) => self.atomic(scope),
            Some(12) => self.call(scope),
            Some(13) => self.order(scope),
            Some(14) => self.throwing(scope),
            Some(15) => self.cast(scope),
            Some(16) => {
                let value = self.expr(Type::Str, 1, scope);
                let value = match value {
                    Expr::Null => Expr::Str("e".to_owned()),
                    value => value,
                };
                vec![self.stmt(Kind::Print(value))]
            }
            Some(17) => self.monitor(scope),
            _ => self.plain(scope),
        }
    }

    /// Most expressions are small.
    fn depth(&mut self) -> usize {
        if self.rng.chance(75) { 1 } else { 2 }
    }

    fn plain(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut types = vec![(4, Type::Int), (4, Type::Bool), (3, DATA_TYPE)];
        if self.has(Theme::Texts) {
            types.push((6, Type::Str));
        }
        if self.has(Theme::Boxes) {
            types.extend([(4, Type::BoxInt), (3, Type::BoxBool)]);
        }
        let ty = self.rng.weighted(&types).unwrap_or(Type::Int);
        let depth = self.depth();
        match self.assignment(ty, depth, scope) {
            assign @ Expr::Assign(..) => vec![self.do_(assign)],
            _ => Vec::new(),
        }
    }

    fn declaration(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut types = vec![Type::Int, Type::Bool, DATA_TYPE];
        if self.has(Theme::Texts) {
            types.extend([Type::Str, Type::Str]);
        }
        if self.has(Theme::Boxes) {
            types.extend([Type::BoxInt, Type::BoxBool]);
        }
        let ty = *self.rng.pick(&types).unwrap_or(&Type::Int);
        let depth = self.depth();
        let value = self.expr(ty, depth, scope);
        let slot = self.new_local(ty, scope);
        scope.seen.push(slot);
        vec![self.stmt(Kind::Local(slot, ty, value))]
    }

    fn branch(&mut self, depth: usize, scope: &mut Scope) -> Vec<Stmt> {
        let deep = self.depth();
        let test = self.expr(Type::Bool, deep, scope);
        let yes = self.block(1, depth - 1, scope);
        let no = if self.rng.chance(35) { self.block(1, depth - 1, scope) } else { Vec::new() };
        vec![self.stmt(Kind::If(test, yes, no))]
    }

    fn loop_(&mut self, depth: usize, scope: &mut Scope) -> Vec<Stmt> {
        let slot = self.new_local(Type::Int, scope);
        let inner = std::mem::replace(&mut scope.in_loop, true);
        scope.seen.push(slot);
        let mut body = self.block(1, depth - 1, scope);
        if self.rng.chance(25) {
            let test = self.expr(Type::Bool, 1, scope);
            let out = self.stmt(Kind::Break);
            body.push(self.stmt(Kind::If(test, vec![out], Vec::new())));
        }
        scope.seen.pop();
        scope.in_loop = inner;
        vec![self.stmt(Kind::For(slot, 2, body))]
    }

    fn compound(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let expr = match self.rng.below(9) {
            0..=3 => self.step(scope),
            4..=7 => {
                let mut ops = vec![Op::Add, Op::Sub, Op::Mul];
                if self.has(Theme::Numbers) {
                    ops.extend([Op::Div, Op::Rem]);
                }
                let op = *self.rng.pick(&ops).unwrap_or(&Op::Add);
                let value = self.expr(Type::Int, 1, scope);
                match self.place(Type::Int, scope) {
                    Some(place) => Expr::Compound(op, place, Box::new(value)),
                    None => return Vec::new(),
                }
            }
            _ => {
                let op = if self.rng.chance(50) { Op::Both } else { Op::Xor };
                let value = self.expr(Type::Bool, 1, scope);
                match self.place(Type::Bool, scope) {
                    Some(place) => Expr::Compound(op, place, Box::new(value)),
                    None => return Vec::new(),
                }
            }
        };
        match expr {
            Expr::Step { .. } | Expr::Compound(..) => vec![self.do_(expr)],
            _ => Vec::new(),
        }
    }

    fn catch(&mut self) -> Catch {
        let all = [
            Catch::One(Exc::Own),
            Catch::One(Exc::Runtime),
            Catch::One(Exc::Runtime),
            Catch::One(Exc::Null),
            Catch::One(Exc::Arithmetic),
            Catch::One(Exc::Cast),
            Catch::One(Exc::State),
            Catch::Exception,
            Catch::Throwable,
        ];
        *self.rng.pick(&all).unwrap_or(&Catch::Throwable)
    }

    /// A statement that may throw.
    fn throwing(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let excs = [Exc::Own, Exc::Runtime, Exc::State];
        let exc = *self.rng.pick(&excs).unwrap_or(&Exc::Own);
        let throw = self.stmt(Kind::Throw(exc));
        let test = self.expr(Type::Bool, 1, scope);
        vec![self.stmt(Kind::If(test, vec![throw], Vec::new()))]
    }

    fn attempt(&mut self, depth: usize, scope: &mut Scope) -> Vec<Stmt> {
        let mut body = self.block(1, depth - 1, scope);
        if self.rng.chance(60) {
            body.extend(self.throwing(scope));
        } else if self.rng.chance(30) {
            let exc = if self.rng.chance(50) { Exc::Own } else { Exc::State };
            body.push(self.stmt(Kind::Throw(exc)));
        }
        let mut catches = Vec::new();
        if self.rng.chance(70) {
            let what = self.catch();
            let body = self.block(1, depth - 1, scope);
            catches.push((what, body));
            if matches!(what, Catch::One(exc) if exc != Exc::Runtime) && self.rng.chance(30) {
                let body = self.block(1, 0, scope);
                catches.push((Catch::Exception, body));
            }
        }
        let last = match catches.is_empty() || self.rng.chance(40) {
            true => Some(self.block(1, depth - 1, scope)),
            false => None,
        };
        let leaves = !super::print::completes(&body)
            && (!catches.iter().any(|(_, body)| super::print::completes(body)));
        if leaves {
            body.pop();
        }
        vec![self.stmt(Kind::Try(body, catches, last))]
    }

    fn lock_object(&mut self, scope: &Scope) -> Expr {
        match self.rng.below(5) {
            0 | 1 => main_read(at::L),
            2 => main_read(at::M),
            3 if !scope.of_class && scope.class == DATA => Expr::This,
            3 => self.data_object(scope),
            _ => main_read(at::L),
        }
    }

    fn synced(&mut self, depth: usize, scope: &mut Scope) -> Vec<Stmt> {
        let on = self.lock_object(scope);
        let count = 1 + self.rng.below(2);
        let body = self.block(count, depth - 1, scope);
        vec![self.stmt(Kind::Sync(on, body))]
    }

    /// One waits under a monitor until a flag is set, or the other sets it and notifies.
    fn waiting(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        if self.rng.chance(45) {
            let on = self.data_object(scope);
            let name = if self.rng.chance(50) { "take" } else { "give" };
            let call = Expr::Call(Box::new(on), method_id(DATA, name, &self.program), Vec::new());
            return vec![self.do_(call)];
        }
        let on = if self.rng.chance(80) { main_read(at::L) } else { main_read(at::M) };
        let flag = if self.rng.chance(80) { at::F } else { at::G };
        let body = if self.rng.chance(50) {
            let test = Expr::Not(Box::new(main_read(flag)));
            let wait = self.stmt(Kind::Wait(on.clone()));
            let guard = if self.rng.chance(75) {
                Kind::While(test, vec![wait])
            } else {
                Kind::If(test, vec![wait], Vec::new())
            };
            let mut body = vec![self.stmt(guard)];
            body.extend(self.block(1, 0, scope));
            body
        } else {
            let mut body = vec![self.set(main_field(flag), Expr::Bool(true))];
            body.extend(self.notification(on.clone()));
            body
        };
        vec![self.stmt(Kind::Sync(on, body))]
    }

    /// A monitor used by a thread that may not hold it.
    fn monitor(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let on = self.lock_object(scope);
        self.notification(on).into_iter().collect()
    }

    /// A turn of waiting for a flag, or a flag that is set.
    fn flag(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let flag = if self.rng.chance(60) { at::F } else { at::G };
        match self.rng.below(4) {
            0 => {
                let read = Expr::Not(Box::new(main_read(flag)));
                let body = if self.rng.chance(50) {
                    Vec::new()
                } else {
                    vec![self.stmt(Kind::Print(Expr::Str("turn".to_owned())))]
                };
                vec![self.stmt(Kind::While(read, body))]
            }
            1 => {
                let value = self.block(1, 0, scope);
                vec![self.stmt(Kind::If(main_read(flag), value, Vec::new()))]
            }
            _ => {
                let value = self.rng.chance(70);
                vec![self.set(main_field(flag), Expr::Bool(value))]
            }
        }
    }

    fn locked(&mut self, depth: usize, scope: &mut Scope) -> Vec<Stmt> {
        let lock = || main_read(at::LOCK);
        let mut body = self.block(1, depth - 1, scope);
        match self.rng.below(8) {
            0 | 1 => {
                let unlock = self.stmt(Kind::Unlock(lock()));
                body.push(unlock);
                let other = if self.rng.chance(40) { self.block(1, 0, scope) } else { Vec::new() };
                vec![self.stmt(Kind::If(Expr::TryLock(Box::new(lock())), body, other))]
            }
            2 => {
                let on = main_read(at::CONDITION);
                let wait = self.stmt(Kind::Await(on));
                let test = Expr::Not(Box::new(main_read(at::G)));
                let guard = self.stmt(Kind::While(test, vec![wait]));
                self.between_locks(vec![guard])
            }
            3 => {
                let set = self.set(main_field(at::G), Expr::Bool(true));
                let on = main_read(at::CONDITION);
                let kind = if self.rng.chance(50) { Kind::Signal(on) } else { Kind::SignalAll(on) };
                let signal = self.stmt(kind);
                self.between_locks(vec![set, signal])
            }
            4 => {
                let take = self.stmt(Kind::Lock(lock()));
                let give = self.stmt(Kind::Unlock(lock()));
                let tried = self.stmt(Kind::Try(body, Vec::new(), Some(vec![give])));
                vec![take, tried]
            }
            5 => {
                // Taken twice, given back once or twice.
                let again = self.stmt(Kind::Lock(lock()));
                let once = self.stmt(Kind::Unlock(lock()));
                let mut inner = vec![again];
                inner.append(&mut body);
                if self.rng.chance(80) {
                    inner.push(once);
                }
                self.between_locks(inner)
            }
            _ => self.between_locks(body),
        }
    }

    fn between_locks(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        let mut all = vec![self.stmt(Kind::Lock(main_read(at::LOCK)))];
        all.extend(body);
        if self.rng.chance(92) {
            all.push(self.stmt(Kind::Unlock(main_read(at::LOCK))));
        }
        all
    }

    fn atomic(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let cell = || Box::new(main_read(at::CELL));
        let expr = match self.rng.below(6) {
            0 => Expr::Atomic(Atomic::Set, Box::new(main_read(at::BIT)), vec![Expr::Bool(true)]),
            1 => self.compare_and_set(),
            2 => {
                let data = self.data_object(scope);
                let args = vec![if self.rng.chance(70) { data } else { Expr::Null }];
                Expr::Atomic(Atomic::Set, cell(), args)
            }
            3 => {
                let get = Expr::Atomic(Atomic::Get, cell(), Vec::new());
                let test = Expr::Bin(Op::Ne, Box::new(get), Box::new(Expr::Null));
                return vec![self.stmt(Kind::Assert(test))];
            }
            4 => {
                let op = Atomic::IncrementAndGet;
                Expr::Atomic(op, Box::new(main_read(at::COUNT)), Vec::new())
            }
            _ => {
                let data = self.data_object(scope);
                Expr::Atomic(Atomic::CompareAndSet, cell(), vec![Expr::Null, data])
            }
        };
        vec![self.do_(expr)]
    }

    fn call(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let call = match self.rng.below(4) {
            0 => Expr::Static(self.of_main("g"), Vec::new()),
            1 => {
                let arg = self.expr(Type::Int, 1, scope);
                Expr::Static(self.of_main("f"), vec![arg])
            }
            2 => {
                let (on, arg) = (self.data_object(scope), self.expr(Type::Int, 1, scope));
                Expr::Call(Box::new(on), method_id(DATA, "put", &self.program), vec![arg])
            }
            _ => {
                let on = self.data_object(scope);
                Expr::Call(Box::new(on), method_id(DATA, "get", &self.program), Vec::new())
            }
        };
        vec![self.do_(call)]
    }

    /// Operands that change what other operands read.
    fn order(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let local = scope.seen.iter().find(|&&slot| scope.locals[slot] == DATA_TYPE).copied();
        if let Some(slot) = local
            && self.rng.chance(50)
        {
            let change = Expr::Assign(Place::Local(slot), Box::new(main_read(at::A)));
            let next = FieldId { class: DATA, field: 2 };
            let place = Place::Field(Box::new(read(Place::Local(slot))), next);
            return vec![self.set(place, change)];
        }
        let (first, second) = (self.expr(Type::Int, 2, scope), self.step(scope));
        let sum = Expr::Bin(Op::Add, Box::new(second), Box::new(first));
        match self.place(Type::Int, scope) {
            Some(place) if self.rng.chance(50) => vec![self.set(place, sum)],
            Some(place) => vec![self.do_(Expr::Compound(Op::Add, place, Box::new(sum)))],
            None => Vec::new(),
        }
    }

    fn cast(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let of = self.data_object(scope);
        let sub = Type::Ref(Cls::Own(SUB));
        let slot = self.new_local(sub, scope);
        let cast = Expr::Cast(Cls::Own(SUB), Box::new(of));
        vec![self.stmt(Kind::Local(slot, sub, cast))]
    }
}
