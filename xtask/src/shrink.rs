//! Greedy shrinking: the smallest program around which a difference persists.
//!
//! Every single cut of a tree has a number, in the order of a walk that meets big pieces before
//! their parts. The shrinker tries cut 0, 1, 2, …; a cut under which the predicate still holds is
//! kept. Rounds go on until no cut is kept. Cuts may make nonsense (a use without its declaration):
//! SPIN then refuses the program and the predicate says no.

use crate::program::{Decl, Expr, Field, Init, Place, Process, Program, Stmt, Type};

/// The smallest program reached from `program` for which `persists` holds; at most `patience`
/// questions are asked.
pub fn shrink(program: &Program, patience: usize, persists: impl FnMut(&Program) -> bool) -> Program {
    greedy(program, patience, cut, persists)
}

/// The smallest thing reached from `whole` by cuts for which `persists` holds; at most `patience`
/// questions are asked.
pub fn greedy<T: Clone + PartialEq>(
    whole: &T,
    patience: usize,
    cut: impl Fn(&T, usize) -> Option<T>,
    mut persists: impl FnMut(&T) -> bool,
) -> T {
    let mut best = whole.clone();
    let mut asked = 0;
    loop {
        let before = best.clone();
        let mut number = 0;
        while let Some(smaller) = cut(&best, number) {
            if asked == patience {
                return best;
            }
            asked += 1;
            if smaller != best && persists(&smaller) {
                best = smaller;
            } else {
                number += 1;
            }
        }
        if best == before {
            return best;
        }
    }
}

/// The program after cut `number`; none if there are fewer.
fn cut(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    Knife { left: number }.program(&mut smaller).then_some(smaller)
}

/// Counts the possible cuts on its walk and makes the one at which the count is used up. Each
/// method tells whether it cut.
struct Knife {
    left: usize,
}

impl Knife {
    fn here(&mut self) -> bool {
        let now = self.left == 0;
        self.left = self.left.wrapping_sub(1);
        now
    }

    fn remove<T>(&mut self, items: &mut Vec<T>) -> bool {
        let at = (0..items.len()).find(|_| self.here());
        at.map(|at| items.remove(at)).is_some()
    }

    fn program(&mut self, program: &mut Program) -> bool {
        self.remove(&mut program.processes)
            || self.remove(&mut program.inlines)
            || self.parameters(program)
            || program.processes.iter_mut().any(|process| self.process(process))
            || program.inlines.iter_mut().any(|inline| self.sequence(&mut inline.body))
            || self.remove(&mut program.globals)
            || self.remove(&mut program.defines)
            || self.remove(&mut program.records)
            || program
                .records
                .iter_mut()
                .any(|record| record.fields.len() > 1 && self.remove(&mut record.fields))
            || self.remove(&mut program.mtypes)
            || program.globals.iter_mut().any(|global| self.declaration(global))
    }

    /// Removes a parameter together with its arguments.
    fn parameters(&mut self, program: &mut Program) -> bool {
        for process in 0..program.processes.len() {
            for at in 0..program.processes[process].parameters.len() {
                if self.here() {
                    let name = program.processes[process].name.clone();
                    program.processes[process].parameters.remove(at);
                    let bodies = program.processes.iter_mut().map(|process| &mut process.body);
                    bodies.for_each(|body| {
                        body.iter_mut().for_each(|statement| without_argument(statement, &name, at))
                    });
                    return true;
                }
            }
        }
        false
    }

    fn process(&mut self, process: &mut Process) -> bool {
        if process.active > 1 && self.here() {
            process.active -= 1;
            return true;
        }
        if process.provided.is_some() && self.here() {
            process.provided = None;
            return true;
        }
        if process.priority.is_some() && self.here() {
            process.priority = None;
            return true;
        }
        self.sequence(&mut process.body)
            || process.provided.as_mut().is_some_and(|condition| self.expression(condition))
    }

    fn declaration(&mut self, declaration: &mut Decl) -> bool {
        let simple = !matches!(declaration.ty, Type::Byte | Type::Chan | Type::Record(_));
        if simple && self.here() {
            declaration.ty = Type::Byte;
            return true;
        }
        match &mut declaration.init {
            Init::None => false,
            Init::Channel(capacity, _) if *capacity > 1 => {
                let now = self.here();
                if now {
                    *capacity -= 1;
                }
                now
            }
            Init::Channel(..) => false,
            Init::Value(value) if declaration.ty == Type::Chan => self.expression(value),
            Init::Value(_) | Init::List(_) => {
                let now = self.here();
                if now {
                    declaration.init = Init::None;
                }
                now
            }
        }
    }

    fn sequence(&mut self, body: &mut Vec<Stmt>) -> bool {
        for at in 0..body.len() {
            if self.here() {
                body.remove(at);
                return true;
            }
            for part in parts(&body[at]) {
                if self.here() {
                    body.splice(at..=at, part);
                    return true;
                }
            }
            if self.statement(&mut body[at]) {
                return true;
            }
        }
        false
    }

    fn options(&mut self, options: &mut Vec<Vec<Stmt>>) -> bool {
        (options.len() > 1 && self.remove(options)) || options.iter_mut().any(|option| self.sequence(option))
    }

    fn statement(&mut self, statement: &mut Stmt) -> bool {
        match statement {
            Stmt::Declare(declaration) => self.declaration(declaration),
            Stmt::Label(_, inner) => self.statement(inner),
            Stmt::Assign(place, value) => self.place(place) || self.expression(value),
            Stmt::Count(place, _) => self.place(place),
            Stmt::Guard(condition) | Stmt::Assert(condition) => self.expression(condition),
            Stmt::If(options) | Stmt::Do(options) => self.options(options),
            Stmt::Block(_, body) | Stmt::ForIn(_, _, body) => self.sequence(body),
            Stmt::Unless(main, escape) => self.sequence(main) || self.sequence(escape),
            Stmt::For(_, from, to, body) => {
                self.expression(from) || self.expression(to) || self.sequence(body)
            }
            Stmt::Select(_, from, to) => self.expression(from) || self.expression(to),
            Stmt::Send(channel, sorted, arguments, tagged) => {
                self.switch_off(sorted)
                    || self.switch_off(tagged)
                    || self.place(channel)
                    || arguments.iter_mut().any(|argument| self.expression(argument))
            }
            Stmt::Receive(channel, form, fields) => {
                self.switch_off(&mut form.random)
                    || self.switch_off(&mut form.copy)
                    || self.place(channel)
                    || fields.iter_mut().any(|field| self.field(field))
            }
            Stmt::Printf(_, arguments) | Stmt::Call(_, arguments) => {
                arguments.iter_mut().any(|argument| self.expression(argument))
            }
            Stmt::SetPriority(pid, value) => self.expression(pid) || self.expression(value),
            Stmt::Skip | Stmt::Else | Stmt::Break | Stmt::Goto(_) | Stmt::Exclusive(..) => false,
        }
    }

    fn switch_off(&mut self, flag: &mut bool) -> bool {
        let cut = *flag && self.here();
        if cut {
            *flag = false;
        }
        cut
    }

    fn field(&mut self, field: &mut Field) -> bool {
        if *field != Field::Ignore && self.here() {
            *field = Field::Ignore;
            return true;
        }
        match field {
            Field::Into(place) => self.place(place),
            Field::Match(_) | Field::Ignore => false,
            Field::Eval(value) => self.expression(value),
        }
    }

    fn place(&mut self, place: &mut Place) -> bool {
        place.index.as_mut().is_some_and(|index| self.index(index))
            || place.field.as_mut().is_some_and(|field| self.place(field))
    }

    /// An index becomes 0 or 1 at once: parts of it may be out of bounds.
    fn index(&mut self, index: &mut Expr) -> bool {
        for constant in [0, 1].map(Expr::Number) {
            if !matches!(index, Expr::Number(_)) && self.here() {
                *index = constant;
                return true;
            }
        }
        false
    }

    fn expression(&mut self, expression: &mut Expr) -> bool {
        for simpler in simpler(expression) {
            if self.here() {
                *expression = simpler;
                return true;
            }
        }
        match expression {
            Expr::Number(_) | Expr::Word(_) => false,
            Expr::Read(place) | Expr::Probe(_, place) => self.place(place),
            Expr::Unary(_, e) | Expr::Call(_, e) | Expr::At(_, e, _) | Expr::Remote(_, e, _) => {
                self.expression(e)
            }
            Expr::Binary(_, l, r) => self.expression(l) || self.expression(r),
            Expr::Choice(c, a, b) => self.expression(c) || self.expression(a) || self.expression(b),
            Expr::Poll(channel, random, fields) => {
                self.switch_off(random)
                    || self.place(channel)
                    || fields.iter_mut().any(|field| self.field(field))
            }
            Expr::Run(_, arguments, priority) => {
                if priority.is_some() && self.here() {
                    *priority = None;
                    return true;
                }
                arguments.iter_mut().any(|argument| self.expression(argument))
            }
        }
    }
}

/// The sequences that can stand for a compound statement.
fn parts(statement: &Stmt) -> Vec<Vec<Stmt>> {
    match statement {
        Stmt::Label(_, inner) => vec![vec![(**inner).clone()]],
        Stmt::If(options) | Stmt::Do(options) => options.clone(),
        Stmt::Block(_, body) | Stmt::For(_, _, _, body) | Stmt::ForIn(_, _, body) => {
            vec![body.clone()]
        }
        Stmt::Unless(main, escape) => vec![main.clone(), escape.clone()],
        Stmt::Assign(_, run @ Expr::Run(..)) => vec![vec![Stmt::Guard(run.clone())]],
        _ => Vec::new(),
    }
}

/// Expressions that can stand for this one.
fn simpler(expression: &Expr) -> Vec<Expr> {
    let constants = || vec![Expr::Number(0), Expr::Number(1)];
    match expression {
        Expr::Number(0 | 1) | Expr::Run(..) => Vec::new(),
        Expr::Number(_) => constants(),
        Expr::Unary(_, e) => [constants(), vec![(**e).clone()]].concat(),
        Expr::Binary(_, l, r) => [constants(), vec![(**l).clone(), (**r).clone()]].concat(),
        Expr::Choice(c, a, b) => [constants(), vec![(**c).clone(), (**a).clone(), (**b).clone()]].concat(),
        _ => constants(),
    }
}

/// Drops argument `at` of every run of `name`.
fn without_argument(statement: &mut Stmt, name: &str, at: usize) {
    match statement {
        Stmt::Assign(_, Expr::Run(process, arguments, _)) | Stmt::Guard(Expr::Run(process, arguments, _))
            if process == name && at < arguments.len() =>
        {
            arguments.remove(at);
        }
        Stmt::Label(_, inner) => without_argument(inner, name, at),
        Stmt::If(options) | Stmt::Do(options) => {
            options.iter_mut().flatten().for_each(|inner| without_argument(inner, name, at));
        }
        Stmt::Block(_, body) | Stmt::For(_, _, _, body) | Stmt::ForIn(_, _, body) => {
            body.iter_mut().for_each(|inner| without_argument(inner, name, at));
        }
        Stmt::Unless(main, escape) => {
            main.iter_mut().chain(escape).for_each(|inner| without_argument(inner, name, at));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{self, features::Features};

    #[test]
    fn cuts_are_finite_and_change_something() {
        let program = generate::program(3, Features::default());
        let mut number = 0;
        while let Some(smaller) = cut(&program, number) {
            assert!(smaller.to_string().len() <= program.to_string().len() + 20);
            number += 1;
        }
        assert!(number > 20);
    }

    #[test]
    fn only_what_the_predicate_needs_remains() {
        let with_send = (0..200u64)
            .map(|seed| generate::program(seed, Features::default()))
            .find(|program| program.to_string().contains("!!"))
            .expect("some program sends in order");
        let small = shrink(&with_send, 10_000, |program| program.to_string().contains("!!"));
        let text = small.to_string();
        assert!(text.contains("!!") && text.lines().count() <= 4, "{text}");
    }
}
