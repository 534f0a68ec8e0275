//! What a statement does in one step: its paths, each a guard and simultaneous updates over the
//! state before.
//!
//! A plain statement has one path or a few; a grouped statement has those of its parts composed
//! (relational composition, by substitution). A synchronous communication leaves its other half
//! open: the value received is the symbol `?`.

use super::Lowering;
use super::exact::as_sort;
use super::expressions::Check;
use super::scope::Entry;
use super::types::{Tree, Ty, Typed};
use crate::ast::{self, ExprKind, Statement, StatementKind};
use logic::fol::{Binder, Op, Sort, Symbol, Term};
use source::{Diagnostic, Span};
use system::fts::{Branch, Domain, Fairness};

/// The received message of a communication whose sender is not yet known.
pub(crate) const MESSAGE: &str = "?";

/// A step has no more ways than this, and takes no more operators and symbols to write down.
const MAX_PATHS: usize = 4096;
const MAX_SIZE: usize = 1_000_000;

/// The n-th term of a message that is handed over, as the receiver knows it.
pub(crate) fn message_part(n: usize) -> String {
    format!("{MESSAGE}{n}")
}

/// Half of a synchronous communication.
#[derive(Clone, Debug)]
pub(crate) struct Half {
    pub(crate) channel: usize,
    pub(crate) indices: Vec<Term>,
    /// What is sent, term by term; none for the receiver.
    pub(crate) sent: Option<Vec<Term>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) branch: Branch,
    pub(crate) half: Option<Half>,
}

/// The paths of a statement, with what is fair about it and what must hold for it to make sense.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) paths: Vec<Path>,
    pub(crate) fairness: Fairness,
    pub(crate) checks: Vec<Check>,
}

impl Path {
    fn new() -> Path {
        Path { branch: Branch::new(Term::truth(true), Vec::new()), half: None }
    }

    /// A term as seen from here, over the state before.
    fn now(&self, e: &Term) -> Term {
        self.branch.after(e)
    }

    /// A condition on the way. What it says of values chosen before belongs to their choice: a
    /// guard speaks of the state alone.
    fn guard(mut self, condition: &Term) -> Path {
        let Branch { guard, chosen, choice, .. } = &self.branch;
        let is_chosen = |e: &Term| e.symbols().keys().any(|name| chosen.iter().any(|c| c.name == *name));
        let (of_choice, of_state): (Vec<Term>, Vec<Term>) =
            self.now(condition).conjuncts().into_iter().partition(is_chosen);
        let guard = Term::all(std::iter::once(guard.clone()).chain(of_state));
        let choice = Term::all(std::iter::once(choice.clone()).chain(of_choice));
        (self.branch.guard, self.branch.choice) = (guard, choice);
        self
    }

    /// How many operators and symbols it takes to write the path down.
    fn size(&self) -> usize {
        let Branch { guard, choice, updates, .. } = &self.branch;
        guard.size() + choice.size() + updates.iter().map(|(_, e)| e.size()).sum::<usize>()
    }

    /// That something holds at the end of the path whenever it is taken, over the state before.
    fn expects(&self, condition: &Term) -> Term {
        let Branch { guard, chosen, choice, .. } = &self.branch;
        let binders = chosen.iter().map(|symbol| bounded(symbol, choice)).collect();
        let holds = Term::every(binders, Term::implication(choice.clone(), self.now(condition)));
        Term::implication(guard.clone(), holds)
    }

    /// Assigns values to places, both of the state here.
    fn write(self, writes: &[(Term, Term)]) -> Path {
        let now: Vec<_> = writes.iter().map(|(place, value)| (place.clone(), self.now(value))).collect();
        self.assign(&now)
    }

    /// Assigns values (over the state before) to places; indices are those of the state here.
    fn assign(mut self, writes: &[(Term, Term)]) -> Path {
        let before = self.branch.clone();
        for (target, value) in writes {
            write_to(&mut self.branch, &before, target, value.clone());
        }
        self
    }
}

/// A chosen value with the bounds that its choice gives it.
fn bounded(symbol: &Symbol, choice: &Term) -> Binder {
    let (mut low, mut high) = (None, None);
    for conjunct in choice.conjuncts() {
        if let (Op::LessEqual, [a, b]) = (conjunct.op(), conjunct.arguments()) {
            low = low.or((*b == symbol.term()).then(|| a.clone()));
            high = high.or((*a == symbol.term()).then(|| b.clone()));
        }
    }
    Binder { symbol: symbol.clone(), range: low.zip(high) }
}

/// `target := value`, where the indices of the target are read before all writes.
fn write_to(branch: &mut Branch, before: &Branch, target: &Term, value: Term) {
    match (target.op(), target.arguments()) {
        (Op::Apply(symbol), []) => match branch.updates.iter_mut().find(|(s, _)| s == symbol) {
            Some((_, old)) => *old = value,
            None => branch.updates.push((symbol.clone(), value)),
        },
        (Op::Select, [array, index]) => {
            let written = current(branch, before, array).store(&before.after(index), &value);
            write_to(branch, before, array, written);
        }
        _ => {}
    }
}

/// Whether a place is another one, or lies in it.
fn is_part(place: &Term, of: &Term) -> bool {
    let array = || matches!(place.op(), Op::Select).then(|| &place.arguments()[0]);
    place == of || array().is_some_and(|array| is_part(array, of))
}

/// The value of a place with the writes so far, its indices read before them.
fn current(branch: &Branch, before: &Branch, place: &Term) -> Term {
    match (place.op(), place.arguments()) {
        (Op::Select, [array, index]) => current(branch, before, array).select(&before.after(index)),
        _ => branch.after(place),
    }
}

impl Lowering<'_> {
    /// The action of a statement that is one step.
    pub(crate) fn action(&mut self, statement: &Statement) -> Action {
        let (done, checks) = self.checked(|me| me.extend(vec![Path::new()], statement, false));
        let (paths, fairness) = done;
        Action { paths, fairness, checks }
    }

    /// Takes each path one statement further, as long as there are few and small ones.
    fn extend(&mut self, paths: Vec<Path>, s: &Statement, grouped: bool) -> (Vec<Path>, Fairness) {
        let (paths, fairness) = self.extend_any(paths, s, grouped);
        let large = paths.iter().map(Path::size).sum::<usize>() > MAX_SIZE;
        if !large && paths.len() <= MAX_PATHS {
            return (paths, fairness);
        }
        self.report(
            Diagnostic::error("E0738", s.span, "this grouped statement becomes too large as one step")
                .help("a grouped statement `<…>` is one step: every way through it, with all it computes"),
        );
        (Vec::new(), fairness)
    }

    fn extend_any(&mut self, paths: Vec<Path>, s: &Statement, grouped: bool) -> (Vec<Path>, Fairness) {
        match &s.kind {
            StatementKind::Group(inner) => {
                let (paths, fairness) = self.extend(paths, inner, true);
                (paths, if fairness == Fairness::None { Fairness::Weak } else { fairness })
            }
            StatementKind::Sequence(parts) => self.extend_all(paths, parts),
            StatementKind::Block(declarations, inner) => {
                self.in_block(declarations, |me| me.extend(paths, inner, grouped))
            }
            StatementKind::If(condition, then, otherwise) => {
                let condition = self.read_on(&paths, |me| me.assertion(condition));
                let yes = paths.iter().cloned().map(|p| p.guard(&condition)).collect();
                let no = Term::negation(condition);
                let no: Vec<Path> = paths.into_iter().map(|p| p.guard(&no)).collect();
                let (mut all, mut fairness) = self.extend(yes, then, true);
                match otherwise {
                    Some(otherwise) => {
                        let (more, other) = self.extend(no, otherwise, true);
                        all.extend(more);
                        fairness = stronger(fairness, other);
                    }
                    None => all.extend(no),
                }
                (all, fairness)
            }
            StatementKind::When(condition, inner) => {
                let condition = self.read_on(&paths, |me| me.assertion(condition));
                self.extend(paths.into_iter().map(|p| p.guard(&condition)).collect(), inner, true)
            }
            StatementKind::Or(parts) => {
                let (mut all, mut fairness) = (Vec::new(), Fairness::Weak);
                for part in parts {
                    let (more, other) = self.extend(paths.clone(), part, true);
                    all.extend(more);
                    fairness = stronger(fairness, other);
                }
                (all, fairness)
            }
            _ => {
                let before = paths.clone();
                self.read_on(&before, |me| me.simple(paths, s, grouped))
            }
        }
    }

    /// Reads something that is evaluated at the end of each path: what it needs must hold there,
    /// after the steps and under the conditions so far, whatever was chosen.
    fn read_on<T>(&mut self, paths: &[Path], read: impl FnOnce(&mut Self) -> T) -> T {
        let (result, checks) = self.checked(read);
        for check in checks {
            let condition = Term::all(paths.iter().map(|p| p.expects(&check.condition)));
            self.checks.push(Check { condition, ..check });
        }
        result
    }

    /// A statement that is no composition of others.
    fn simple(&mut self, paths: Vec<Path>, s: &Statement, grouped: bool) -> (Vec<Path>, Fairness) {
        let just = |paths: Vec<Path>| (paths, Fairness::Weak);
        match &s.kind {
            StatementKind::Skip | StatementKind::Critical => just(paths),
            StatementKind::Noncritical | StatementKind::Idle => {
                if grouped {
                    self.not_in_group(s.span, "a statement that may never end");
                }
                (paths, Fairness::None)
            }
            StatementKind::Await(condition) => {
                let condition = self.assertion(condition);
                just(paths.into_iter().map(|p| p.guard(&condition)).collect())
            }
            StatementKind::Assign(targets, values) => just(self.assign(paths, targets, values, s.span)),
            StatementKind::Consume(place) => {
                self.expression(place);
                just(paths)
            }
            StatementKind::Produce(place) => just(self.choose(paths, place, true)),
            StatementKind::Choose(place) => just(self.choose(paths, place, false)),
            StatementKind::Request(place) => {
                let (r, ty) = self.semaphore(place);
                let positive = Term::lt(Term::int(0), r.clone());
                let less = r.minus(&Term::int(1));
                let ((), checks) = self.checked(|me| me.fits(&ty, &less, s.span));
                self.checks.extend(checks.into_iter().map(|c| c.under(&positive)));
                let writes = [(r, less)];
                let paths = paths.into_iter().map(|p| p.guard(&positive).write(&writes));
                (paths.collect(), Fairness::Strong)
            }
            StatementKind::Release(place) => {
                let (r, ty) = self.semaphore(place);
                let more = r.plus(&Term::int(1));
                self.fits(&ty, &more, s.span);
                let writes = [(r, more)];
                just(paths.into_iter().map(|p| p.write(&writes)).collect())
            }
            StatementKind::Send(channel, value) => self.send(paths, channel, value),
            StatementKind::Receive(channel, target) => self.receive(paths, channel, target),
            StatementKind::While(..)
            | StatementKind::Loop(_)
            | StatementKind::Parallel(_)
            | StatementKind::Replicated(..)
            | StatementKind::Process(..) => {
                self.not_in_group(s.span, "a loop or a parallel statement");
                just(paths)
            }
            // An error was reported, or the caller has taken it apart.
            _ => just(paths),
        }
    }

    fn extend_all(&mut self, mut paths: Vec<Path>, parts: &[Statement]) -> (Vec<Path>, Fairness) {
        let mut fairness = Fairness::Weak;
        for part in parts {
            let (next, other) = self.extend(paths, part, true);
            paths = next;
            fairness = stronger(fairness, other);
        }
        (paths, fairness)
    }

    fn not_in_group(&mut self, span: Span, what: &str) {
        self.report(
            Diagnostic::error("E0730", span, format!("{what} cannot be part of a grouped statement"))
                .help("a grouped statement `<…>` is one step"),
        );
    }

    fn assign(
        &mut self,
        paths: Vec<Path>,
        targets: &[ast::Expr],
        values: &[ast::Expr],
        span: Span,
    ) -> Vec<Path> {
        if targets.len() != values.len() {
            let message =
                format!("{} places are assigned, but there are {} values", targets.len(), values.len());
            self.report(Diagnostic::error("E0731", span, message));
            return paths;
        }
        let mut writes = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let place = self.place(target);
            let typed = self.value_for(&place.ty, value);
            self.pair(&place, typed, value.span, &mut writes);
            self.assigned_once(&writes, target.span);
        }
        paths.into_iter().map(|p| p.write(&writes)).collect()
    }

    /// The last place is none of those before it, nor a part of one. Elements of one array whose
    /// indices are written differently may be the same one: then the last value stays.
    pub(crate) fn assigned_once(&mut self, writes: &[(Term, Term)], span: Span) {
        let Some(((last, _), before)) = writes.split_last() else { return };
        if before.iter().any(|(place, _)| is_part(place, last) || is_part(last, place)) {
            let message = "this place is assigned to twice at once";
            self.report(Diagnostic::error("E0746", span, message));
        }
    }

    /// Pairs each leaf of a place with that of a value.
    pub(crate) fn pair(&mut self, place: &Typed, value: Typed, span: Span, writes: &mut Vec<(Term, Term)>) {
        let value = value.adapted(&place.ty);
        if !place.ty.accepts(&value.ty) {
            return self.mismatch(span, &place.ty.name(), &value.ty);
        }
        match (&place.tree, value.tree) {
            (Tree::Term(target), Tree::Term(e)) => {
                self.same_bounds(&place.ty, &value.ty, span);
                if value.ty != place.ty || matches!(place.ty, Ty::Int(_)) {
                    self.fits(&place.ty, &e, span);
                }
                let e = as_sort(e, target.sort());
                writes.push((target.clone(), e));
            }
            (Tree::Record(fields), Tree::Record(values)) => {
                for ((_, field), (_, value)) in fields.iter().zip(values) {
                    self.pair(field, value, span, writes);
                }
            }
            _ => {}
        }
    }

    /// A value assigned to a range lies in it.
    pub(crate) fn fits(&mut self, ty: &Ty, e: &Term, span: Span) {
        if let Some(domain) = ty.domain() {
            let condition = domain.contains(e);
            if condition != Term::truth(true) {
                let what = format!("`{e}` lies in {}", ty.name());
                self.checks.push(Check { condition, what, span });
            }
        }
    }

    /// A place that can be assigned to.
    fn place(&mut self, e: &ast::Expr) -> Typed {
        let entry = e.root().and_then(|name| self.scopes.find(name)).cloned();
        match entry {
            Some(Entry::Variable { mode, .. }) => {
                if mode == ast::Mode::In {
                    let name = e.root().map_or("", |n| n);
                    self.report(
                        Diagnostic::warning(
                            "W0732",
                            e.span,
                            format!("`{name}` is an input, but is assigned to"),
                        )
                        .help("declare it `local` if the program changes it"),
                    );
                }
                self.expression(e)
            }
            Some(_) => self.misuse(e.span, "this cannot be assigned to".to_string()),
            None => self.expression(e),
        }
    }

    fn semaphore(&mut self, e: &ast::Expr) -> (Term, Ty) {
        let place = self.place(e);
        match place.tree {
            Tree::Term(r) if place.ty.is_number() => (r, place.ty),
            _ => {
                self.mismatch(e.span, "int", &place.ty);
                (Term::int(0), Ty::INT)
            }
        }
    }

    /// Any value of the type; `produced` ones are not zero.
    fn choose(&mut self, paths: Vec<Path>, place: &ast::Expr, produced: bool) -> Vec<Path> {
        let place = self.place(place);
        let mut ways = vec![Chosen::default()];
        for (target, ty) in place.leaves() {
            let mut values = self.any_value(&ty.sort(), ty.domain().as_ref());
            if produced && matches!(ty, Ty::Int(_)) {
                let zero = |v: &AnyValue| {
                    v.terms.iter().map(|e| Term::eq(e.clone(), Term::int(0))).collect::<Vec<_>>()
                };
                values.iter_mut().for_each(|v| v.choice.extend(zero(v).into_iter().map(Term::negation)));
            }
            ways = ways.iter().flat_map(|w| values.iter().map(|v| w.and(&target, v))).collect();
        }
        let each = |p: &Path, way: &Chosen| {
            let more: Vec<Term> = way.choice.iter().map(|c| p.now(c)).collect();
            let mut p = p.clone().assign(&way.writes);
            p.branch.chosen.extend(way.symbols.clone());
            p.branch.choice = Term::all(std::iter::once(p.branch.choice).chain(more));
            p
        };
        paths.iter().flat_map(|p| ways.iter().map(|way| each(p, way))).collect()
    }

    /// The values of a sort within its bounds: of a datatype that is no tree one way for each
    /// constructor, else one.
    pub(crate) fn any_value(&mut self, sort: &Sort, domain: Option<&Domain>) -> Vec<AnyValue> {
        match sort {
            Sort::Data(data) if !data.is_tree() && !data.is_enumeration() => {
                let mut found = Vec::new();
                for (n, constructor) in data.constructors.iter().enumerate() {
                    let bounds = match domain {
                        Some(Domain::Data(all)) => all.get(n).cloned().unwrap_or_default(),
                        _ => Vec::new(),
                    };
                    let mut ways = vec![AnyValue::default()];
                    for (at, (_, field)) in constructor.fields.iter().enumerate() {
                        let values = self.any_value(field, bounds.get(at).and_then(Option::as_ref));
                        ways = ways.iter().flat_map(|w| values.iter().map(|v| w.and(v))).collect();
                    }
                    found.extend(ways.into_iter().map(|way| {
                        let value = Term::construct(sort, n, way.terms);
                        AnyValue { terms: vec![value], ..way }
                    }));
                }
                found
            }
            _ => {
                // A name that no program can have, as are all names made here.
                self.choices += 1;
                let symbol = Symbol::constant(format!("chosen!{}", self.choices), sort.clone());
                let choice = domain.map(|d| d.contains(&symbol.term())).into_iter().collect();
                vec![AnyValue { terms: vec![symbol.term()], symbols: vec![symbol], choice }]
            }
        }
    }

    /// The synchronous channel that an expression names, with its indices and what it carries.
    fn handed_over(&mut self, e: &ast::Expr) -> Option<(usize, Vec<Term>, Ty)> {
        let (name, span) = e.root_at()?;
        let found = self.scopes.find(name).cloned();
        self.mentioned(name, span);
        let Some(Entry::Channel { id, bounds, implied, element }) = found else { return None };
        let mut indices = Vec::new();
        let mut at = e;
        while let ExprKind::Index(inner, index) = &at.kind {
            indices.insert(0, (self.integer(index), index.span));
            at = inner;
        }
        let own = if indices.len() + implied == bounds.len() { implied } else { 0 };
        for ((index, span), (low, high)) in indices.iter().zip(bounds.iter().skip(own)) {
            self.check_index(index, (low, high), *span);
        }
        let own = self.replicas.iter().take(own).map(|index| (index.symbol.term(), e.span));
        indices.splice(0..0, own.collect::<Vec<_>>());
        if indices.len() != bounds.len() {
            self.misuse(e.span, "this is no single channel".to_string());
        }
        Some((id, indices.into_iter().map(|(index, _)| index).collect(), element))
    }

    fn send(&mut self, paths: Vec<Path>, channel: &ast::Expr, value: &ast::Expr) -> (Vec<Path>, Fairness) {
        if let Some((id, indices, element)) = self.handed_over(channel) {
            let typed = self.value_for(&element, value);
            let e = self.message_of(&element, typed, value.span);
            let half = Half { channel: id, indices, sent: Some(e) };
            return (self.communicate(paths, half, channel.span), Fairness::Strong);
        }
        let place = self.place(channel);
        let Some(element) = place.ty.carried() else {
            self.mismatch(channel.span, "a channel", &place.ty);
            return (paths, Fairness::Weak);
        };
        let typed = self.value_for(&element, value);
        let values = self.message_of(&element, typed, value.span);
        let queues = place.leaves();
        let capacity = queues.iter().find_map(|(queue, ty)| match ty {
            Ty::Asynchronous { capacity: Some(k), .. } => Some((queue, k.clone())),
            _ => None,
        });
        let below = |(queue, k): &(&Term, Term)| Term::lt(queue.length(), k.clone());
        let room = capacity.as_ref().map_or(Term::truth(true), below);
        let longer = |((queue, _), e): (&(Term, Ty), Term)| (queue.clone(), queue.append(&e));
        let writes: Vec<(Term, Term)> = queues.iter().zip(values).map(longer).collect();
        let paths = paths.into_iter().map(|p| p.guard(&room).write(&writes));
        let fairness = if capacity.is_some() { Fairness::Strong } else { Fairness::Weak };
        (paths.collect(), fairness)
    }

    fn receive(
        &mut self,
        paths: Vec<Path>,
        channel: &ast::Expr,
        target: &ast::Expr,
    ) -> (Vec<Path>, Fairness) {
        let target_place = self.place(target);
        if let Some((id, indices, element)) = self.handed_over(channel) {
            let parts = element.leaves().into_iter().enumerate();
            let mut parts = parts.map(|(n, ty)| Symbol::constant(message_part(n), ty.sort()).term());
            let message = Typed::of(&element, &mut parts);
            let half = Half { channel: id, indices, sent: None };
            let paths = self.communicate(paths, half, channel.span);
            return (self.store(paths, &target_place, message, target.span), Fairness::Strong);
        }
        let place = self.place(channel);
        let Some(element) = place.ty.carried() else {
            self.mismatch(channel.span, "a channel", &place.ty);
            return (paths, Fairness::Weak);
        };
        let queues = place.leaves();
        // The channels of a record are equally full.
        let some = queues.first().map_or(Term::truth(true), |(q, _)| Term::lt(Term::int(0), q.length()));
        let first = Typed::of(&element, &mut queues.iter().map(|(queue, _)| queue.head()));
        let mut writes = Vec::new();
        // What comes out of a channel fits its type; the place may be narrower.
        let ((), checks) = self.checked(|me| me.pair(&target_place, first, target.span, &mut writes));
        self.checks.extend(checks.into_iter().map(|c| c.under(&some)));
        writes.extend(queues.iter().map(|(queue, _)| (queue.clone(), queue.tail())));
        (paths.into_iter().map(|p| p.guard(&some).write(&writes)).collect(), Fairness::Strong)
    }

    pub(crate) fn message_of(&mut self, element: &Ty, value: Typed, span: Span) -> Vec<Term> {
        let value = value.adapted(element);
        if !element.accepts(&value.ty) {
            self.mismatch(span, &element.name(), &value.ty);
            return Vec::new();
        }
        let leaves = value.leaves();
        for ((e, found), ty) in leaves.iter().zip(element.leaves()) {
            self.same_bounds(&ty, found, span);
            if *found != ty || matches!(ty, Ty::Int(_)) {
                self.fits(&ty, e, span);
            }
        }
        leaves.into_iter().zip(element.leaves()).map(|((e, _), ty)| as_sort(e, &ty.sort())).collect()
    }

    fn store(&mut self, paths: Vec<Path>, place: &Typed, value: Typed, span: Span) -> Vec<Path> {
        let mut writes = Vec::new();
        self.pair(place, value, span, &mut writes);
        paths.into_iter().map(|p| p.assign(&writes)).collect()
    }

    fn communicate(&mut self, paths: Vec<Path>, half: Half, span: Span) -> Vec<Path> {
        if paths.iter().any(|p| p.half.is_some()) {
            self.report(Diagnostic::error(
                "E0733",
                span,
                "a grouped statement has at most one synchronous communication",
            ));
        }
        let at = |p: &Path| Half {
            channel: half.channel,
            indices: half.indices.iter().map(|i| p.now(i)).collect(),
            sent: half.sent.as_ref().map(|all| all.iter().map(|e| p.now(e)).collect()),
        };
        paths.into_iter().map(|p| Path { half: Some(at(&p)), ..p }).collect()
    }
}

/// Values by what is chosen for them: terms over new symbols, and what these must satisfy.
#[derive(Clone, Default)]
pub(crate) struct AnyValue {
    pub(crate) terms: Vec<Term>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) choice: Vec<Term>,
}

impl AnyValue {
    fn and(&self, other: &AnyValue) -> AnyValue {
        AnyValue {
            terms: [&self.terms[..], &other.terms].concat(),
            symbols: [&self.symbols[..], &other.symbols].concat(),
            choice: [&self.choice[..], &other.choice].concat(),
        }
    }
}

/// Places with the values chosen for them.
#[derive(Clone, Default)]
struct Chosen {
    writes: Vec<(Term, Term)>,
    symbols: Vec<Symbol>,
    choice: Vec<Term>,
}

impl Chosen {
    fn and(&self, target: &Term, value: &AnyValue) -> Chosen {
        let mut more = self.clone();
        more.writes.extend(value.terms.iter().map(|e| (target.clone(), e.clone())));
        more.symbols.extend(value.symbols.iter().cloned());
        more.choice.extend(value.choice.iter().cloned());
        more
    }
}

/// Compassion of a part is compassion of the whole.
fn stronger(a: Fairness, b: Fairness) -> Fairness {
    match (a, b) {
        (Fairness::Strong, _) | (_, Fairness::Strong) => Fairness::Strong,
        (Fairness::None, _) | (_, Fairness::None) => Fairness::None,
        _ => Fairness::Weak,
    }
}
