//! Statements, by weight, as far as the place where they stand allows.

use super::features::Feature;
use super::scope::{Channel, Spot};
use super::{Generator, Site};
use crate::program::{Braces, Decl, Expr, Init, Stmt, Type};

/// What a statement can be; the weights are in `statement`.
#[derive(Debug, Clone, Copy)]
enum Form {
    Assign,
    Count,
    Guard,
    Exchange,
    If,
    Do,
    Atomic,
    DStep,
    Plain,
    Unless,
    For,
    Select,
    Goto,
    Break,
    Assert,
    Printf,
    Skip,
    Call,
    Run,
    Declare,
    Retarget,
    Timeout,
    SetPriority,
}

impl Generator {
    /// One to `most` statements.
    pub(super) fn sequence(&mut self, site: &mut Site, most: usize) -> Vec<Stmt> {
        let count = 1 + self.rng.below(most);
        let mut body = Vec::new();
        for _ in 0..count {
            let statement = self.statement(site);
            let leaves = matches!(statement, Stmt::Goto(_) | Stmt::Break);
            body.push(statement);
            if leaves {
                break;
            }
        }
        body
    }

    /// Statements that neither block nor loop nor jump.
    pub(super) fn harmless_sequence(&mut self, site: &mut Site, most: usize) -> Vec<Stmt> {
        (0..1 + self.rng.below(most)).map(|_| self.harmless(site)).collect()
    }

    fn harmless(&mut self, site: &mut Site) -> Stmt {
        let statement = match self.rng.below(10) {
            0 if self.has(Feature::Printf) => Some(self.printf(site)),
            1 if self.has(Feature::Assert) => Some(self.assertion(site)),
            2 if site.depth < 3 => Some(self.choice(site, true)),
            3 if self.has(Feature::For) && !site.inline => self.for_loop(site),
            4 if !site.inline => self.safe_exchange(site),
            5 if self.has(Feature::Select) && !site.inline => self.select(site),
            6 => self.count(site),
            _ => None,
        };
        statement.or_else(|| self.assign(site)).unwrap_or(Stmt::Skip)
    }

    pub(super) fn statement(&mut self, site: &mut Site) -> Stmt {
        if self.budget == 0 {
            return self.assign(site).unwrap_or(Stmt::Skip);
        }
        self.budget -= 1;
        if site.d_step {
            return self.harmless(site);
        }
        let form = self.form(site);
        self.of_form(form, site).or_else(|| self.assign(site)).unwrap_or(Stmt::Skip)
    }

    fn form(&mut self, site: &Site) -> Form {
        let on = |feature, weight| {
            if self.features.has(feature) { weight } else { 0 }
        };
        let deep = |weight: usize| if site.depth < 4 { weight } else { 0 };
        let open = |weight: usize| if site.atomic { 0 } else { weight };
        let weights = [
            (18, Form::Assign),
            (6, Form::Count),
            (8, Form::Guard),
            (24, Form::Exchange),
            (deep(9), Form::If),
            (deep(open(8)), Form::Do),
            (deep(on(Feature::Atomic, open(9))), Form::Atomic),
            (deep(on(Feature::Atomic, 1)), Form::Atomic),
            (deep(on(Feature::DStep, 5)), Form::DStep),
            (deep(2), Form::Plain),
            (deep(on(Feature::Unless, 6)), Form::Unless),
            (deep(on(Feature::For, 7)), Form::For),
            (on(Feature::Select, 2), Form::Select),
            (if site.labels.is_empty() { 0 } else { on(Feature::Goto, 9) }, Form::Goto),
            (if site.in_loop { 5 } else { 0 }, Form::Break),
            (on(Feature::Assert, 3), Form::Assert),
            (on(Feature::Printf, 1), Form::Printf),
            (1, Form::Skip),
            (if self.inlines.is_empty() { 0 } else { 6 }, Form::Call),
            (if self.runnables.is_empty() || site.repeated { 0 } else { 5 }, Form::Run),
            (on(Feature::BlockDeclarations, 3), Form::Declare),
            (on(Feature::ChannelMessages, 2) + on(Feature::Aliases, 12), Form::Retarget),
            (on(Feature::Timeout, 2), Form::Timeout),
            (on(Feature::Priorities, 3), Form::SetPriority),
        ];
        self.rng.weighted(&weights).unwrap_or(Form::Assign)
    }

    fn of_form(&mut self, form: Form, site: &mut Site) -> Option<Stmt> {
        match form {
            Form::Assign => self.assign(site),
            Form::Count => self.count(site),
            Form::Guard => Some(Stmt::Guard(self.guard(site))),
            Form::Exchange => self.exchange(site),
            Form::If => Some(self.choice(site, false)),
            Form::Do => Some(self.repetition(site)),
            Form::Atomic => Some(self.atomic(site)),
            Form::DStep => Some(self.d_step(site)),
            Form::Plain => Some(Stmt::Block(Braces::Plain, self.block(site, 3))),
            Form::Unless => Some(self.unless(site)),
            Form::For => self.for_loop(site),
            Form::Select => self.select(site),
            Form::Goto => self.rng.pick(&site.labels).cloned().map(Stmt::Goto),
            Form::Break => Some(Stmt::Break),
            Form::Assert => Some(self.assertion(site)),
            Form::Printf => Some(self.printf(site)),
            Form::Skip => Some(Stmt::Skip),
            Form::Call => self.call(site),
            Form::Run => self.run(site),
            Form::Declare => Some(self.block_declaration(site)),
            Form::Retarget => self.retarget(site),
            Form::Timeout => Some(Stmt::Guard(Expr::word("timeout"))),
            Form::SetPriority => {
                Some(Stmt::SetPriority(Expr::word("_pid"), Expr::Number(self.rng.between(1, 3))))
            }
        }
    }

    fn writable(&mut self, site: &Site, wanted: impl Fn(&Spot) -> bool) -> Option<Spot> {
        let fit = |spot: &&Spot| spot.writable && wanted(spot);
        let candidates: Vec<Spot> = site.scope.spots.iter().filter(fit).cloned().collect();
        self.rng.pick(&candidates).cloned()
    }

    fn assign(&mut self, site: &Site) -> Option<Stmt> {
        let spot = self.writable(site, |_| true)?;
        let value = self.value_for(&site.scope, &spot.ty);
        Some(Stmt::Assign(self.place(&site.scope, &spot), value))
    }

    /// `x++` or `x--` where it cannot go on endlessly, or wraps soon.
    fn count(&mut self, site: &Site) -> Option<Stmt> {
        let narrow = |ty: &Type| matches!(ty, Type::Bit | Type::Bool | Type::Unsigned(1..=3));
        let repeated = site.repeated;
        let spot = self.writable(site, |spot| {
            spot.readable && (narrow(&spot.ty) || (!repeated && !matches!(spot.ty, Type::Mtype(_))))
        })?;
        Some(Stmt::Count(self.place(&site.scope, &spot), self.rng.chance(70)))
    }

    /// What a process waits for.
    fn guard(&mut self, site: &Site) -> Expr {
        if self.has(Feature::OddTimeouts) && self.rng.chance(8) {
            let timeout = Expr::word("timeout");
            let condition = self.condition(&site.scope, 1);
            return match self.rng.below(4) {
                0 => Expr::Unary("!", Box::new(timeout)),
                1 => Expr::binary("||", timeout, condition),
                _ => Expr::binary("&&", timeout, condition),
            };
        }
        match self.rng.below(16) {
            0..=3 => self.channel_test(&site.scope),
            4..=6 if self.has(Feature::Remote) && self.landmark.is_some() => self.remote_test(site),
            5 if self.has(Feature::Internals) => self.internal_test(),
            6 if self.has(Feature::Run) && self.has(Feature::Population) => {
                Some(Expr::binary("<", Expr::word("_nr_pr"), Expr::Number(self.rng.between(2, 4))))
            }
            _ => None,
        }
        .unwrap_or_else(|| self.condition(&site.scope, 2))
    }

    fn remote_test(&mut self, site: &Site) -> Option<Expr> {
        let landmark = self.landmark.clone().filter(|landmark| landmark.process != site.process)?;
        let pid = Box::new(Expr::Number(landmark.pid));
        Some(if self.rng.chance(50) {
            Expr::At(landmark.process, pid, landmark.label)
        } else {
            let value = Expr::Remote(landmark.process, pid, landmark.variable);
            Expr::binary("==", value, Expr::Number(self.rng.between(0, 2)))
        })
    }

    fn internal_test(&mut self) -> Option<Expr> {
        Some(match self.rng.below(3) {
            0 => Expr::Call("enabled", Box::new(Expr::Number(self.rng.between(0, 1)))),
            1 => Expr::binary("==", Expr::word("_last"), Expr::Number(self.rng.between(0, 2))),
            _ => {
                let counter = Expr::Call("pc_value", Box::new(Expr::Number(0)));
                Expr::binary("<", counter, Expr::Number(self.rng.between(2, 9)))
            }
        })
    }

    /// An `if`; a harmless one has an else and guards without channels.
    fn choice(&mut self, site: &mut Site, harmless: bool) -> Stmt {
        let mut options: Vec<Vec<Stmt>> =
            (0..self.rng.between(1, 3)).map(|_| self.option(site, harmless, true)).collect();
        if harmless || self.rng.chance(40) {
            options.push(self.else_option(site, harmless));
            if !harmless && !self.has(Feature::ElseIo) {
                options.iter_mut().for_each(|option| self.without_io(site, option));
            }
        }
        Stmt::If(options)
    }

    fn else_option(&mut self, site: &mut Site, harmless: bool) -> Vec<Stmt> {
        let mut inner = site.deeper();
        let mut body = vec![Stmt::Else];
        match harmless {
            true => body.extend(self.harmless_sequence(&mut inner, 2)),
            false => body.extend(self.sequence(&mut inner, 2)),
        }
        body
    }

    /// Replaces a send or receive that stands first by a condition.
    fn without_io(&mut self, site: &Site, option: &mut [Stmt]) {
        if let Some(first @ (Stmt::Send(..) | Stmt::Receive(..) | Stmt::Guard(_))) = option.first_mut() {
            *first = Stmt::Guard(self.condition(&site.scope, 1));
        }
    }

    /// An option: something to wait for, and what follows. `plain_start` allows other statements in
    /// front.
    fn option(&mut self, site: &mut Site, harmless: bool, plain_start: bool) -> Vec<Stmt> {
        let mut inner = site.deeper();
        if harmless {
            let mut body = vec![Stmt::Guard(self.condition(&inner.scope, 1))];
            body.extend(self.harmless_sequence(&mut inner, 2));
            return body;
        }
        let mut body = Vec::new();
        match self.rng.below(10) {
            0..=3 => body.push(Stmt::Guard(self.guard(&inner))),
            4..=7 => {
                let exchange = self.exchange(&inner);
                body.push(exchange.unwrap_or_else(|| Stmt::Guard(self.guard(&site.deeper()))));
            }
            _ if plain_start => {}
            _ => body.push(Stmt::Guard(self.guard(&inner))),
        }
        if body.is_empty() || self.rng.chance(70) {
            body.extend(self.sequence(&mut inner, 2));
        }
        if self.may(Feature::OddLabels, 15) {
            let stem = if self.rng.chance(60) { "end" } else { "O" };
            let name = self.fresh(stem);
            let first = body.remove(0);
            body.insert(0, Stmt::Label(name, Box::new(first)));
        }
        body
    }

    fn repetition(&mut self, site: &mut Site) -> Stmt {
        let mut inner = site.deeper();
        inner.in_loop = true;
        inner.repeated = true;
        let mut options: Vec<Vec<Stmt>> =
            (0..self.rng.between(1, 3)).map(|_| self.option(&mut inner, false, true)).collect();
        // A loop around nothing but skips is refused by pan.
        for option in &mut options {
            if option.iter().all(|statement| matches!(statement, Stmt::Skip)) {
                option.insert(0, Stmt::Guard(self.condition(&inner.scope, 1)));
            }
        }
        if self.rng.chance(35) {
            options.push(vec![Stmt::Guard(self.guard(&inner)), Stmt::Break]);
        }
        if self.rng.chance(20) {
            let mut body = vec![Stmt::Else];
            if self.rng.chance(60) {
                body.push(Stmt::Break);
            } else {
                body.extend(self.assign(&inner));
            }
            options.push(body);
            if !self.has(Feature::ElseIo) {
                options.iter_mut().for_each(|option| self.without_io(&inner, option));
            }
        }
        Stmt::Do(options)
    }

    fn block(&mut self, site: &mut Site, most: usize) -> Vec<Stmt> {
        let mut inner = site.deeper();
        self.sequence(&mut inner, most)
    }

    fn atomic(&mut self, site: &mut Site) -> Stmt {
        let mut inner = site.deeper();
        inner.atomic = true;
        inner.in_loop = false;
        let mut body = self.sequence(&mut inner, 4);
        if site.in_loop && self.rng.chance(10) {
            body.push(Stmt::Break);
        }
        Stmt::Block(Braces::Atomic, body)
    }

    /// A d_step: perhaps something to wait for, then nothing that blocks.
    fn d_step(&mut self, site: &mut Site) -> Stmt {
        let mut inner = site.deeper();
        inner.atomic = true;
        inner.in_loop = false;
        let mut body = Vec::new();
        match self.rng.below(6) {
            0 | 1 => body.push(Stmt::Guard(self.condition(&inner.scope, 1))),
            2 => {
                let channel = self.some_channel(&inner.scope, |_| true);
                let mut receive = channel.and_then(|channel| self.receive(&inner, &channel));
                if let Some(Stmt::Receive(_, form, _)) = &mut receive {
                    // SPIN writes C that does not compile for `d_step { c?<x>; …` in models with
                    // rendezvous.
                    form.copy = false;
                }
                body.extend(receive);
            }
            3 => {
                let channel = self.some_channel(&inner.scope, |channel| !channel.signature.rendezvous);
                body.extend(channel.and_then(|channel| self.send(&inner, &channel)));
            }
            _ => {}
        }
        if body.is_empty() {
            // One that begins with assert, printf or select can run in the middle of a rendezvous
            // in pan.
            body.push(self.assign(&inner).unwrap_or(Stmt::Skip));
        }
        inner.d_step = true;
        body.extend(self.harmless_sequence(&mut inner, 3));
        if self.may(Feature::DStepBlock, 20) {
            body.push(Stmt::Guard(self.condition(&inner.scope, 1)));
            body.extend(self.harmless_sequence(&mut inner, 1));
        }
        Stmt::Block(Braces::DStep, body)
    }

    fn unless(&mut self, site: &mut Site) -> Stmt {
        let mut main = self.block(site, 3);
        // pan is blocked forever before a jump out of an atomic sequence that begins the main part.
        if site.atomic && matches!(main.first(), Some(Stmt::Goto(_) | Stmt::Break)) {
            main.insert(0, Stmt::Skip);
        }
        let mut inner = site.deeper();
        if site.depth < 3 && self.rng.chance(20) {
            main.push(self.unless(&mut inner));
        }
        // A rendezvous send that fails as the outer of two escapes makes pan forget that the inner
        // one was taken.
        let nested = main.iter().any(has_unless);
        let mut escape = match self.rng.below(10) {
            0..=4 => vec![Stmt::Guard(self.guard(&inner))],
            _ if nested => vec![Stmt::Guard(self.guard(&inner))],
            5..=8 => self.exchange(&inner).into_iter().collect(),
            _ => vec![self.choice(&mut inner, false)],
        };
        // A handshake that fails as one of several options of an escape does too.
        if escape.iter().any(offers) {
            escape.clear();
        }
        if escape.is_empty() {
            escape.push(Stmt::Guard(self.condition(&inner.scope, 1)));
        }
        if self.rng.chance(70) {
            escape.extend(self.sequence(&mut inner, 2));
        }
        Stmt::Unless(main, escape)
    }

    fn for_loop(&mut self, site: &mut Site) -> Option<Stmt> {
        let counters: Vec<String> =
            site.scope.spots.iter().filter(|s| !s.writable).map(|s| s.root().to_owned()).collect();
        let counter = self.rng.pick(&counters)?.clone();
        let mut inner = site.deeper();
        // Inside, the counter belongs to this loop alone.
        inner.scope.spots.retain(|spot| spot.root() != counter);
        inner.in_loop = !site.d_step && !site.atomic;
        inner.repeated = true;
        let body = match site.d_step {
            true => self.harmless_sequence(&mut inner, 2),
            false => self.sequence(&mut inner, 2),
        };
        let array = self.rng.pick(&site.scope.arrays).cloned();
        Some(match array {
            Some(array) if self.rng.chance(50) => Stmt::ForIn(counter, array, body),
            _ => {
                let to = match self.rng.chance(70) {
                    true => Expr::Number(self.rng.between(1, 2)),
                    false => match self.index(&inner.scope, 3) {
                        Expr::Number(n) => Expr::Number(n + 1),
                        bound => bound,
                    },
                };
                Stmt::For(counter, Expr::Number(self.rng.between(0, 1)), to, body)
            }
        })
    }

    fn select(&mut self, site: &Site) -> Option<Stmt> {
        let spot = self.writable(site, |spot| {
            spot.is_plain() && spot.readable && matches!(spot.ty, Type::Byte | Type::Short | Type::Int)
        })?;
        let from = self.rng.between(0, 1);
        // SPIN expands constant bounds into an `if`, other bounds into a loop.
        let to = match self.rng.chance(60) {
            true => Expr::Number(from + self.rng.between(1, 2)),
            false => match self.index(&site.scope, 3) {
                Expr::Number(n) => Expr::Number(from + n),
                bound => bound,
            },
        };
        Some(Stmt::Select(spot.root().to_owned(), Expr::Number(from), to))
    }

    fn assertion(&mut self, site: &Site) -> Stmt {
        let condition = self.condition(&site.scope, 1);
        // Most hold, so that errors stay informative.
        match self.rng.chance(60) {
            true => Stmt::Assert(Expr::binary(
                "||",
                condition,
                Expr::binary("<=", Expr::word("_pid"), Expr::Number(9)),
            )),
            false => Stmt::Assert(condition),
        }
    }

    fn printf(&mut self, site: &Site) -> Stmt {
        Stmt::Printf("v %d\\n".to_owned(), vec![self.number(&site.scope, 1)])
    }

    fn call(&mut self, site: &Site) -> Option<Stmt> {
        if site.inline {
            return None;
        }
        let inlines = self.inlines.clone();
        let (name, arity) = self.rng.pick(&inlines)?.clone();
        let arguments: Option<Vec<Expr>> = (0..arity)
            .map(|_| {
                let spot = self.writable(site, |spot| {
                    spot.is_plain() && spot.readable && !matches!(spot.ty, Type::Mtype(_))
                })?;
                Some(Expr::variable(spot.root()))
            })
            .collect();
        Some(Stmt::Call(name, arguments?))
    }

    pub(super) fn run(&mut self, site: &Site) -> Option<Stmt> {
        let runnables = self.runnables.clone();
        let runnable = self.rng.pick(&runnables)?.clone();
        let arguments: Option<Vec<Expr>> =
            runnable.parameters.iter().map(|kind| self.argument(&site.scope, kind, false)).collect();
        let priority = self.may(Feature::Priorities, 50).then(|| self.rng.between(1, 3) as u32);
        let run = Expr::Run(runnable.name, arguments?, priority);
        let target = self
            .writable(site, |spot| spot.is_plain() && matches!(spot.ty, Type::Byte | Type::Pid | Type::Int));
        Some(match target {
            Some(spot) if self.rng.chance(25) => Stmt::Assign(self.place(&site.scope, &spot), run),
            _ => Stmt::Guard(run),
        })
    }

    /// A declaration in the middle: a statement to SPIN.
    fn block_declaration(&mut self, site: &mut Site) -> Stmt {
        let ty = self.scalar_type();
        let array = self.may(Feature::Arrays, 20) && !matches!(ty, Type::Unsigned(_));
        let ty = if array { ty.into_element() } else { ty };
        let init = match &ty {
            Type::Mtype(subtype) => Init::Value(self.member(subtype)),
            _ if self.rng.chance(60) => Init::Value(self.value_for(&site.scope, &ty)),
            _ => Init::None,
        };
        let name = self.fresh("b");
        let declaration = Decl { hidden: false, ty, name, size: array.then_some(2), init };
        let mut scope = std::mem::take(&mut site.scope);
        self.enter(&declaration, &mut scope);
        site.scope = scope;
        Stmt::Declare(declaration)
    }

    /// A channel variable becomes another channel.
    fn retarget(&mut self, site: &Site) -> Option<Stmt> {
        let variable = self.some_channel(&site.scope, |channel| channel.variable)?;
        let fit = site.scope.channels_of(&variable.signature).into_iter().filter(|channel| channel.global);
        let fit: Vec<Channel> = fit.cloned().collect();
        let channel = self.rng.pick(&fit)?.clone();
        let value = Expr::Read(self.channel_place(&site.scope, &channel));
        Some(Stmt::Assign(crate::program::Place::name(&variable.name), value))
    }
}

impl Site {
    /// The inside of a compound statement: names declared there stay there.
    pub(super) fn deeper(&self) -> Site {
        Site { depth: self.depth + 1, ..self.clone() }
    }
}

/// Whether a choice may begin with a send.
fn offers(statement: &Stmt) -> bool {
    match statement {
        Stmt::If(options) | Stmt::Do(options) => {
            options.iter().filter_map(|body| body.first()).any(|s| matches!(s, Stmt::Send(..)) || offers(s))
        }
        Stmt::Block(_, body) => body.first().is_some_and(offers),
        Stmt::Call(..) | Stmt::Unless(..) => true,
        _ => false,
    }
}

/// Whether there is an `unless` in a statement; a call may hide one.
fn has_unless(statement: &Stmt) -> bool {
    let any = |body: &[Stmt]| body.iter().any(has_unless);
    match statement {
        Stmt::Unless(..) | Stmt::Call(..) => true,
        Stmt::Label(_, inner) => has_unless(inner),
        Stmt::If(options) | Stmt::Do(options) => options.iter().any(|body| any(body)),
        Stmt::Block(_, body) | Stmt::For(_, _, _, body) | Stmt::ForIn(_, _, body) => any(body),
        _ => false,
    }
}
