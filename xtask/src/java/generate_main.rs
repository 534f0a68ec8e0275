//! The body of `main`: objects, threads, what happens meanwhile, and joins.

use super::ast::{Cls, Expr, Kind, Place, Stmt, Type};
use super::generate::{DATA, Generator, SUB, TASK, Theme, WORKER, at, main_field, read};
use super::generate_expr::Scope;

const DATA_TYPE: Type = Type::Ref(Cls::Own(DATA));

impl Generator {
    pub(super) fn main(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut body = Vec::new();
        let first = self.first_data();
        let data = self.local(DATA_TYPE, first, scope, &mut body);
        let threads = self.thread_count();
        for _ in 0..self.rng.below(2) {
            let more = self.loose(scope);
            body.extend(more);
        }
        let mut started = Vec::new();
        for _ in 0..threads {
            if self.has(Theme::Pool) && self.rng.chance(60) {
                self.submit(data, scope, &mut body);
            } else {
                let thread = self.start(data, scope, &mut body);
                started.push(thread);
            }
            if self.rng.chance(25) {
                let more = self.loose(scope);
                body.extend(more);
            }
        }
        let after = if threads == 0 { 3 } else { 1 };
        for _ in 0..after {
            let more = self.loose(scope);
            body.extend(more);
        }
        self.ending(&started, &mut body);
        body
    }

    /// A statement whose locals stay in sight.
    fn loose(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let before = scope.locals.len();
        let depth = 1 + usize::from(self.rng.chance(35));
        let body = self.block(1, depth, scope);
        let declared = body.iter().filter_map(|stmt| match stmt.kind {
            Kind::Local(slot, ..) if slot >= before => Some(slot),
            _ => None,
        });
        scope.seen.extend(declared);
        body
    }

    fn local(&mut self, ty: Type, value: Expr, scope: &mut Scope, body: &mut Vec<Stmt>) -> usize {
        let slot = self.new_local(ty, scope);
        scope.seen.push(slot);
        let stmt = self.stmt(Kind::Local(slot, ty, value));
        body.push(stmt);
        slot
    }

    fn first_data(&mut self) -> Expr {
        match self.rng.below(4) {
            0 => Expr::New(Cls::Own(SUB), Vec::new()),
            1 => read(main_field(at::A)),
            _ => Expr::New(Cls::Own(DATA), Vec::new()),
        }
    }

    fn thread_count(&mut self) -> usize {
        let concurrent =
            [Theme::Monitors, Theme::Waiting, Theme::Flags, Theme::Locks, Theme::Atomics, Theme::Pool];
        let several = concurrent.iter().any(|&theme| self.has(theme));
        match (several, self.rng.below(10)) {
            (false, 0..=5) => 0,
            (_, 0) => 0,
            (_, 1..=7) => 1,
            _ => 2,
        }
    }

    fn argument(&mut self, data: usize) -> Vec<Expr> {
        match self.rng.below(25) {
            0 => vec![Expr::Null],
            1 => vec![Expr::New(Cls::Own(DATA), Vec::new())],
            _ => vec![read(Place::Local(data))],
        }
    }

    fn start(&mut self, data: usize, scope: &mut Scope, body: &mut Vec<Stmt>) -> usize {
        let args = self.argument(data);
        let (ty, value) = if self.rng.chance(60) {
            (Type::Ref(Cls::Own(WORKER)), Expr::New(Cls::Own(WORKER), args))
        } else {
            let task = Expr::New(Cls::Own(TASK), args);
            (Type::Ref(Cls::Thread), Expr::New(Cls::Thread, vec![task]))
        };
        let slot = self.local(ty, value, scope, body);
        let thread = || read(Place::Local(slot));
        let start = self.stmt(Kind::Start(thread()));
        if self.has(Theme::Waiting) && self.rng.chance(15) {
            // The end of a thread notifies those who wait for it.
            let wait = self.stmt(Kind::Wait(thread()));
            let sync = Kind::Sync(thread(), vec![start, wait]);
            body.push(self.stmt(sync));
        } else {
            body.push(start);
        }
        if self.rng.chance(2) {
            body.push(self.stmt(Kind::Start(thread())));
        }
        slot
    }

    fn submit(&mut self, data: usize, scope: &mut Scope, body: &mut Vec<Stmt>) {
        let args = self.argument(data);
        let task = self.local(Type::Ref(Cls::Own(TASK)), Expr::New(Cls::Own(TASK), args), scope, body);
        let pool = read(main_field(at::POOL));
        let task = read(Place::Local(task));
        let kind = if self.rng.chance(50) { Kind::Submit(pool, task) } else { Kind::Execute(pool, task) };
        body.push(self.stmt(kind));
        if self.rng.chance(15) {
            body.push(self.stmt(Kind::Shutdown(read(main_field(at::POOL)))));
        }
    }

    fn ending(&mut self, started: &[usize], body: &mut Vec<Stmt>) {
        let all = self.rng.chance(80);
        for &slot in started {
            if !all && self.rng.chance(50) {
                continue;
            }
            let thread = || read(Place::Local(slot));
            let join = self.stmt(Kind::Join(thread()));
            let stmt = match self.rng.below(15) {
                0 => self.stmt(Kind::Sync(read(main_field(at::L)), vec![join])),
                _ => join,
            };
            body.push(stmt);
        }
        if self.has(Theme::Pool) {
            body.push(self.stmt(Kind::Shutdown(read(main_field(at::POOL)))));
        }
    }
}
