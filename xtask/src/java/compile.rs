//! From a program to instructions, by the rules of the Java Language Specification: operands from
//! left to right, a class is initialized at its first use, `finally` is copied to every way out.

use super::ast::{Expr, FieldId, Kind, Method, MethodId, Op, Place, Program, Stmt, Type, gate, local};
use super::code::{Code, Handler, Instr, Value};
use super::print::{constant, has_initializer, is_settled};

/// All code of a program.
pub struct Compiled<'a> {
    pub program: &'a Program,
    /// By class and method.
    pub methods: Vec<Vec<Code>>,
    /// Initializers by class; none if nothing happens.
    pub initializers: Vec<Option<Code>>,
    /// Field initializers of instances, by class.
    pub instances: Vec<Code>,
    /// Is a range checked?
    pub ranged: bool,
}

impl Compiled<'_> {
    pub fn method(&self, id: MethodId) -> &Code {
        &self.methods[id.class][id.method]
    }
}

/// Compiles a program, with declared ranges checked or not.
pub fn compile(program: &Program, ranged: bool) -> Compiled<'_> {
    let classes = 0..program.classes.len();
    Compiled {
        program,
        methods: classes
            .clone()
            .map(|c| &program.classes[c].methods)
            .map(|all| all.iter().map(|m| Compiler::method(program, ranged, m)).collect())
            .collect(),
        initializers: classes.clone().map(|c| Compiler::initializer(program, ranged, c)).collect(),
        instances: classes.map(|c| Compiler::instance(program, ranged, c)).collect(),
        ranged,
    }
}

/// What has to be done on the way out of a block.
enum Level<'a> {
    /// A synchronized block: the local with the monitor.
    Monitor(usize),
    Finally(&'a [Stmt]),
    Catch,
    Loop,
}

struct Open<'a> {
    level: Level<'a>,
    /// Instructions that its handler does not cover: the ways out.
    gaps: Vec<(usize, usize)>,
    /// Jumps to its end (of loops).
    breaks: Vec<usize>,
}

pub(super) struct Compiler<'a> {
    program: &'a Program,
    ranged: bool,
    code: Code,
    locals: Vec<Type>,
    statement: u32,
    nth: u32,
    open: Vec<Open<'a>>,
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program, ranged: bool, locals: Vec<Type>) -> Compiler<'a> {
        // Slot 0 is `this`, the others follow it.
        let code = Code { locals: locals.len() + 1, ..Code::default() };
        Compiler { program, ranged, code, locals, statement: 0, nth: 0, open: Vec::new() }
    }

    fn method(program: &'a Program, ranged: bool, method: &'a Method) -> Code {
        let mut compiler = Compiler::new(program, ranged, method.locals.clone());
        compiler.code.params = method.params.len();
        compiler.code.synced = method.synced;
        compiler.code.of_class = method.of_class;
        if method.result == Some(Type::Int) && ranged {
            compiler.code.result = program.range(&method.name);
        }
        for (slot, &ty) in method.params.iter().enumerate() {
            if ty == Type::Int {
                compiler.quiet(Instr::Load(slot + 1));
                compiler.check(&local(slot, ty));
                compiler.quiet(Instr::Pop);
            }
        }
        compiler.block(&method.body);
        compiler.quiet(Instr::Return(false));
        compiler.code
    }

    /// The initializer of a class: its static fields in their order.
    fn initializer(program: &'a Program, ranged: bool, class: usize) -> Option<Code> {
        if !has_initializer(program, class) {
            return None;
        }
        let mut compiler = Compiler::new(program, ranged, Vec::new());
        compiler.code.of_class = true;
        for (number, field) in program.classes[class].fields.iter().enumerate() {
            let Some(Stmt { id, kind: Kind::Do(Expr::Assign(_, value)) }) = &field.init else {
                continue;
            };
            if !field.of_class || field.hidden || constant(field) {
                continue;
            }
            (compiler.statement, compiler.nth) = (*id, 0);
            compiler.expr(value);
            compiler.range_of(FieldId { class, field: number });
            let put = Instr::PutStatic(FieldId { class, field: number });
            if class == 0 {
                compiler.quiet(put)
            } else {
                compiler.visible(put)
            };
        }
        compiler.quiet(Instr::Return(false));
        Some(compiler.code)
    }

    fn instance(program: &'a Program, ranged: bool, class: usize) -> Code {
        let mut compiler = Compiler::new(program, ranged, Vec::new());
        for (number, field) in program.classes[class].fields.iter().enumerate() {
            if let (false, Some(Stmt { id, kind: Kind::Do(Expr::Assign(_, value)) })) =
                (field.of_class || field.hidden, &field.init)
            {
                (compiler.statement, compiler.nth) = (*id, 0);
                compiler.quiet(Instr::Load(0));
                compiler.expr(value);
                compiler.quiet(Instr::PutField(FieldId { class, field: number }));
            }
        }
        compiler.quiet(Instr::Return(false));
        compiler.code
    }

    fn gate(&mut self) -> u32 {
        let number = gate(self.statement, self.nth);
        self.nth += 1;
        number
    }

    fn put(&mut self, instr: Instr, gate: Option<u32>, visible: bool) -> usize {
        self.code.instrs.push(instr);
        self.code.gates.push(gate);
        self.code.visible.push(visible);
        self.code.statements.push(self.statement);
        self.code.instrs.len() - 1
    }

    pub(super) fn quiet(&mut self, instr: Instr) -> usize {
        self.put(instr, None, false)
    }

    pub(super) fn visible(&mut self, instr: Instr) -> usize {
        let number = self.gate();
        self.put(instr, Some(number), true)
    }

    pub(super) fn here(&self) -> usize {
        self.code.instrs.len()
    }

    pub(super) fn patch(&mut self, at: usize) {
        let here = self.here();
        match &mut self.code.instrs[at] {
            Instr::Jump(to) | Instr::Branch(_, to) => *to = here,
            _ => {}
        }
    }

    /// A value that a name with a range gets is checked.
    fn check(&mut self, name: &str) {
        if let Some((low, high)) = self.program.range(name).filter(|_| self.ranged) {
            self.quiet(Instr::Check(low, high));
        }
    }

    fn range_of(&mut self, field: FieldId) {
        let field = self.program.field(field);
        if field.ty == Type::Int {
            self.check(&field.name);
        }
    }

    fn block(&mut self, body: &'a [Stmt]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        (self.statement, self.nth) = (stmt.id, 0);
        match &stmt.kind {
            Kind::Local(slot, ty, value) => {
                self.expr(value);
                if *ty == Type::Int {
                    self.check(&local(*slot, *ty));
                }
                self.quiet(Instr::Store(slot + 1));
            }
            Kind::Do(expr) => {
                self.expr(expr);
                if !self.is_void(expr) {
                    self.quiet(Instr::Pop);
                }
            }
            Kind::If(test, yes, no) => {
                self.expr(test);
                let to_no = self.quiet(Instr::Branch(false, 0));
                self.block(yes);
                let to_end = self.quiet(Instr::Jump(0));
                self.patch(to_no);
                self.block(no);
                self.patch(to_end);
            }
            Kind::While(test, body) => self.repeat(test, body),
            Kind::For(slot, times, body) => self.count(*slot, *times, body),
            Kind::Sync(on, body) => self.synced(stmt.id, on, body),
            Kind::Try(body, catches, last) => self.attempt(body, catches, last.as_deref()),
            Kind::Return(value) => self.leave(value.as_ref()),
            Kind::Break => self.break_out(),
            _ => self.simple(&stmt.kind),
        }
    }

    fn simple(&mut self, kind: &'a Kind) {
        let one = |kind: &Kind| match kind {
            Kind::Wait(_) => Instr::Wait,
            Kind::Notify(_) => Instr::Notify(false),
            Kind::NotifyAll(_) => Instr::Notify(true),
            Kind::Lock(_) => Instr::Lock,
            Kind::Unlock(_) => Instr::Unlock,
            Kind::Await(_) => Instr::Await,
            Kind::Signal(_) => Instr::Signal(false),
            Kind::SignalAll(_) => Instr::Signal(true),
            Kind::Start(_) => Instr::Start,
            Kind::Join(_) => Instr::Join,
            Kind::Submit(..) => Instr::Submit(true),
            Kind::Execute(..) => Instr::Submit(false),
            _ => Instr::Shutdown,
        };
        match kind {
            Kind::Throw(exc) => {
                self.quiet(Instr::Throw(*exc));
            }
            Kind::Assert(test) => {
                self.expr(test);
                let fine = self.quiet(Instr::Branch(true, 0));
                self.quiet(Instr::AssertFail);
                self.patch(fine);
            }
            Kind::Print(value) => {
                self.expr(value);
                self.quiet(Instr::Text);
                self.quiet(Instr::Pop);
            }
            Kind::Wait(on)
            | Kind::Notify(on)
            | Kind::NotifyAll(on)
            | Kind::Lock(on)
            | Kind::Unlock(on)
            | Kind::Await(on)
            | Kind::Signal(on)
            | Kind::SignalAll(on)
            | Kind::Start(on)
            | Kind::Join(on)
            | Kind::Shutdown(on) => {
                self.expr(on);
                self.visible(one(kind));
            }
            Kind::Submit(to, task) | Kind::Execute(to, task) => {
                self.expr(to);
                self.expr(task);
                self.visible(one(kind));
            }
            _ => {}
        }
    }

    fn repeat(&mut self, test: &'a Expr, body: &'a [Stmt]) {
        let id = self.statement;
        let head = self.here();
        self.visible(Instr::Turn);
        self.expr(test);
        let out = self.quiet(Instr::Branch(false, 0));
        self.enter(Level::Loop);
        self.block(body);
        self.statement = id;
        self.quiet(Instr::Jump(head));
        self.patch(out);
        self.end_loop();
    }

    fn end_loop(&mut self) {
        let breaks = self.exit().breaks;
        breaks.into_iter().for_each(|at| self.patch(at));
    }

    fn count(&mut self, slot: usize, times: i32, body: &'a [Stmt]) {
        let name = local(slot, Type::Int);
        self.quiet(Instr::Push(Value::Int(0)));
        self.quiet(Instr::Store(slot + 1));
        let head = self.here();
        self.quiet(Instr::Load(slot + 1));
        self.quiet(Instr::Push(Value::Int(times)));
        self.quiet(Instr::Bin(Op::Lt));
        let out = self.quiet(Instr::Branch(false, 0));
        self.enter(Level::Loop);
        self.block(body);
        self.quiet(Instr::Load(slot + 1));
        self.quiet(Instr::Push(Value::Int(1)));
        self.quiet(Instr::Bin(Op::Add));
        self.check(&name);
        self.quiet(Instr::Store(slot + 1));
        self.quiet(Instr::Jump(head));
        self.patch(out);
        self.end_loop();
    }

    fn enter(&mut self, level: Level<'a>) {
        self.open.push(Open { level, gaps: Vec::new(), breaks: Vec::new() });
    }

    fn exit(&mut self) -> Open<'a> {
        let none = || Open { level: Level::Loop, gaps: Vec::new(), breaks: Vec::new() };
        self.open.pop().unwrap_or_else(none)
    }

    fn temporary(&mut self) -> usize {
        self.code.locals += 1;
        self.code.locals - 1
    }

    fn synced(&mut self, id: u32, on: &'a Expr, body: &'a [Stmt]) {
        self.expr(on);
        let slot = self.temporary();
        self.quiet(Instr::Dup);
        self.quiet(Instr::Store(slot));
        self.visible(Instr::Enter);
        let from = self.here();
        self.enter(Level::Monitor(slot));
        self.block(body);
        self.statement = id;
        self.quiet(Instr::Load(slot));
        let to = self.here();
        self.quiet(Instr::Exit);
        let after = self.quiet(Instr::Jump(0));
        let gaps = self.exit().gaps;
        self.cover(from, to, &gaps, None);
        self.quiet(Instr::Load(slot));
        self.quiet(Instr::Exit);
        self.quiet(Instr::Rethrow);
        self.patch(after);
    }

    /// Handlers that begin here, for what stands in from..to but for the gaps.
    fn cover(&mut self, from: usize, to: usize, gaps: &[(usize, usize)], what: Option<super::ast::Catch>) {
        let at = self.here();
        let mut begin = from;
        for &(gap, end) in gaps.iter().filter(|(_, end)| *end <= to) {
            self.code.handlers.push(Handler { from: begin, to: gap, at, what });
            begin = end;
        }
        self.code.handlers.push(Handler { from: begin, to, at, what });
    }

    fn attempt(
        &mut self,
        body: &'a [Stmt],
        catches: &'a [(super::ast::Catch, Vec<Stmt>)],
        last: Option<&'a [Stmt]>,
    ) {
        let from = self.here();
        if let Some(last) = last {
            self.enter(Level::Finally(last));
        }
        self.enter(Level::Catch);
        self.block(body);
        let to = self.here();
        let gaps = self.exit().gaps;
        let mut ends = vec![self.quiet(Instr::Jump(0))];
        for (what, body) in catches {
            self.cover(from, to, &gaps, Some(*what));
            self.quiet(Instr::Pop);
            self.block(body);
            ends.push(self.quiet(Instr::Jump(0)));
        }
        let all = self.here();
        if let Some(last) = last {
            let gaps = self.exit().gaps;
            self.cover(from, all, &gaps, None);
            let slot = self.temporary();
            self.quiet(Instr::Store(slot));
            self.block(last);
            self.quiet(Instr::Load(slot));
            self.quiet(Instr::Rethrow);
            ends.into_iter().for_each(|at| self.patch(at));
            self.block(last);
        } else {
            ends.into_iter().for_each(|at| self.patch(at));
        }
    }

    fn leave(&mut self, value: Option<&'a Expr>) {
        let slot = value.map(|value| {
            self.expr(value);
            let slot = self.temporary();
            self.quiet(Instr::Store(slot));
            slot
        });
        self.ways_out(0);
        if let Some(slot) = slot {
            self.quiet(Instr::Load(slot));
        }
        self.quiet(Instr::Return(slot.is_some()));
    }

    fn break_out(&mut self) {
        let is_loop = |open: &Open| matches!(open.level, Level::Loop);
        let Some(level) = self.open.iter().rposition(is_loop) else {
            return;
        };
        self.ways_out(level + 1);
        let at = self.quiet(Instr::Jump(0));
        self.open[level].breaks.push(at);
    }

    /// What has to be done to leave all levels from `level` on, the innermost first.
    fn ways_out(&mut self, level: usize) {
        let mut left = self.open.split_off(level);
        let mut kept = Vec::new();
        while let Some(open) = left.pop() {
            // While a `finally` runs, the levels around it still are there.
            let around = left.len();
            self.open.append(&mut left);
            let begin = self.here();
            match open.level {
                Level::Monitor(slot) => {
                    self.quiet(Instr::Load(slot));
                    self.quiet(Instr::Exit);
                }
                Level::Finally(last) => {
                    let (statement, nth) = (self.statement, self.nth);
                    self.block(last);
                    (self.statement, self.nth) = (statement, nth);
                }
                Level::Loop | Level::Catch => {}
            }
            let end = self.here();
            let mut open = open;
            // Inner levels are already left: nothing of this is theirs.
            kept.iter_mut().for_each(|inner: &mut Open| add_gap(&mut inner.gaps, (begin, end)));
            add_gap(&mut open.gaps, (begin, end));
            kept.push(open);
            left = self.open.split_off(level);
            debug_assert_eq!(left.len(), around);
        }
        kept.reverse();
        self.open.append(&mut kept);
    }

    fn is_void(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Static(id, _) | Expr::Call(_, id, _) => self.program.method(*id).result.is_none(),
            Expr::Atomic(what, ..) => *what == super::ast::Atomic::Set,
            _ => false,
        }
    }

    pub(super) fn program(&self) -> &'a Program {
        self.program
    }

    pub(super) fn check_place(&mut self, place: &Place) {
        match place {
            Place::Local(slot) if self.locals[*slot] == Type::Int => {
                self.check(&local(*slot, Type::Int));
            }
            Place::Local(_) => {}
            Place::Static(field) | Place::Field(_, field) => self.range_of(*field),
        }
    }

    pub(super) fn is_quiet(&self, field: FieldId) -> bool {
        is_settled(self.program, field)
    }

    pub(super) fn atomic_range(&self, on: &Expr) -> Option<(i32, i32)> {
        match on {
            Expr::Read(Place::Static(field) | Place::Field(_, field)) if self.ranged => {
                self.program.range(&self.program.field(*field).name)
            }
            _ => None,
        }
    }
}

/// Gaps stay in order; one that contains others takes their place.
fn add_gap(gaps: &mut Vec<(usize, usize)>, gap: (usize, usize)) {
    gaps.retain(|old| !(gap.0 <= old.0 && old.1 <= gap.1));
    gaps.push(gap);
    gaps.sort_unstable();
}
