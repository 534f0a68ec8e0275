//! From threads and edges to transitions: numbers for locations, names for transitions, pairs of communications.

use super::Lowering;
use super::control::{Arm, Edge};
use super::paths::{Half, MESSAGE};
use source::Diagnostic;
use std::collections::{BTreeSet, HashMap};
use system::fts::{
    Branch, Expr, Location, Mode, Op, Parameter, Sort, Symbol, Thread, Transition, TypeCheck, Variable,
};

/// What a sleeping thread's control variable holds.
const ASLEEP: i64 = -1;

impl Lowering<'_> {
    pub(crate) fn finish(&mut self) {
        let numbers: Vec<HashMap<usize, usize>> = (0..self.threads.len()).map(|t| self.number(t)).collect();
        self.declare_control(&numbers);
        let edges = std::mem::take(&mut self.edges);
        let names = self.names(&edges, &numbers);
        let mut transitions = Vec::new();
        for (edge, name) in edges.iter().zip(&names) {
            self.type_checks(edge, &numbers);
            if edge.arms.iter().all(|a| a.path.half.is_some()) {
                continue;
            }
            let arms = edge.arms.iter().filter(|a| a.path.half.is_none());
            let branches = arms.map(|arm| self.branch(edge, arm, &numbers)).collect();
            transitions.push((edge.span, self.transition(edge, name.clone(), branches)));
        }
        transitions.extend(self.communications(&edges, &names, &numbers));
        // In the order of the text; `sort_by_key` keeps what stands at one place in order.
        transitions.sort_by_key(|(span, _)| (span.file, span.start));
        self.fts.transitions.extend(transitions.into_iter().map(|(_, t)| t));
    }

    /// The numbers of the locations of a thread that matter: in the order of the text.
    fn number(&self, thread: usize) -> HashMap<usize, usize> {
        let t = &self.threads[thread];
        let mut used: BTreeSet<usize> = BTreeSet::from([self.same(thread, t.entry)]);
        for edge in self.edges.iter().filter(|e| e.thread == thread) {
            used.insert(self.same(thread, edge.pre));
            used.extend(edge.arms.iter().map(|a| self.same(thread, a.post)));
        }
        if t.parent.is_some() {
            used.insert(self.same(thread, t.exit));
        }
        used.extend((0..t.locations.len()).filter(|l| !t.locations[*l].labels.is_empty()));
        let mut ordered: Vec<usize> = used.into_iter().collect();
        ordered.sort_by_key(|l| (t.locations[*l].position, *l));
        ordered.into_iter().enumerate().map(|(n, l)| (l, n)).collect()
    }

    fn declare_control(&mut self, numbers: &[HashMap<usize, usize>]) {
        for (at, thread) in self.threads.iter().enumerate() {
            let sort = if thread.replica.is_some() { Sort::Array(Box::new(Sort::Int)) } else { Sort::Int };
            let control = Symbol::new(format!("pi{at}"), sort);
            let mut locations = vec![Location::default(); numbers[at].len()];
            for (l, n) in &numbers[at] {
                let place = &thread.locations[*l];
                locations[*n] = Location {
                    labels: place.labels.iter().map(|i| i.name.to_string()).collect(),
                    span: place.span,
                };
            }
            let begin = match thread.parent {
                Some(_) => ASLEEP,
                None => numbers[at][&self.same(at, thread.entry)] as i64,
            };
            let replica = thread.replica.clone();
            self.initial.push(at_location(&control, replica.as_ref(), begin, true));
            self.fts.variables.push(Variable {
                symbol: control.clone(),
                mode: Mode::Control,
                range: Some(control_domain(&replica, locations.len(), thread.parent.is_some())),
                span: thread.locations[thread.entry].span,
            });
            self.fts.threads.push(Thread {
                control,
                process: thread.process.clone(),
                locations,
                replicated: replica,
                nested: thread.parent.is_some(),
            });
        }
    }

    /// A name for each edge: its label, or that of its location, made unique.
    fn names(&mut self, edges: &[Edge], numbers: &[HashMap<usize, usize>]) -> Vec<String> {
        let mut taken: HashMap<String, usize> = HashMap::new();
        let mut names = Vec::new();
        for edge in edges {
            let at = self.same(edge.thread, edge.pre);
            let of_location = self.threads[edge.thread].locations[at].labels.first();
            let wanted = match edge.label.as_ref().or(of_location) {
                Some(label) => label.name.to_string(),
                None => {
                    let process = &self.threads[edge.thread].process;
                    let number = numbers[edge.thread][&at];
                    if process.is_empty() {
                        format!("pi{}@{number}", edge.thread)
                    } else {
                        format!("{process}@{number}")
                    }
                }
            };
            let count = taken.entry(wanted.clone()).or_insert(0);
            *count += 1;
            names.push(if *count == 1 { wanted } else { format!("{wanted}.{count}") });
        }
        self.same_labels();
        names
    }

    /// A label names one location.
    fn same_labels(&mut self) {
        let mut seen: HashMap<&str, source::Span> = HashMap::new();
        let mut twice = Vec::new();
        for label in self.threads.iter().flat_map(|t| &t.locations).flat_map(|l| &l.labels) {
            if let Some(first) = seen.insert(&label.name, label.span)
                && first != label.span
            {
                let message = format!("label `{}` stands twice", label.name);
                twice.push(Diagnostic::error("E0735", label.span, message).also(first, "first here"));
            }
        }
        self.diagnostics.extend(twice);
    }

    /// A branch with its control.
    fn branch(&self, edge: &Edge, arm: &Arm, numbers: &[HashMap<usize, usize>]) -> Branch {
        let mut branch = arm.path.branch.clone();
        let mut guard = vec![self.at(edge.thread, edge.pre, numbers)];
        let mut updates = vec![self.goes(edge.thread, arm.post, numbers)];
        for joined in &edge.joins {
            guard.push(self.at(*joined, self.threads[*joined].exit, numbers));
            updates.push(self.set(*joined, ASLEEP));
        }
        for started in &edge.starts {
            updates.push(self.goes(*started, self.threads[*started].entry, numbers));
        }
        branch.guard = Expr::and(guard.into_iter().chain([branch.guard]));
        branch.updates.splice(0..0, updates);
        branch
    }

    fn at(&self, thread: usize, location: usize, numbers: &[HashMap<usize, usize>]) -> Expr {
        let number = numbers[thread][&self.same(thread, location)] as i64;
        let thread = &self.fts.threads[thread];
        at_location(&thread.control, thread.replicated.as_ref(), number, false)
    }

    fn goes(&self, thread: usize, location: usize, numbers: &[HashMap<usize, usize>]) -> (Symbol, Expr) {
        self.set(thread, numbers[thread][&self.same(thread, location)] as i64)
    }

    fn set(&self, thread: usize, value: i64) -> (Symbol, Expr) {
        let Thread { control, replicated, .. } = &self.fts.threads[thread];
        let value = Expr::int(value);
        let value = match replicated {
            Some(index) => Expr::store(control.expr(), index.symbol.expr(), value),
            None => value,
        };
        (control.clone(), value)
    }

    fn transition(&self, edge: &Edge, name: String, branches: Vec<Branch>) -> Transition {
        Transition {
            name,
            parameters: self.threads[edge.thread].replica.clone().into_iter().collect(),
            branches,
            fairness: edge.fairness,
            text: self.text_of(edge.span),
            span: edge.span,
        }
    }

    fn type_checks(&mut self, edge: &Edge, numbers: &[HashMap<usize, usize>]) {
        let at = self.at(edge.thread, edge.pre, numbers);
        for check in &edge.checks {
            self.fts.type_checks.push(TypeCheck {
                what: check.what.clone(),
                parameters: self.threads[edge.thread].replica.clone().into_iter().collect(),
                condition: Expr::implies(at.clone(), check.condition.clone()),
                span: check.span,
            });
        }
    }

    /// One transition for each sender and receiver of a channel that can be at their places together.
    fn communications(
        &mut self,
        edges: &[Edge],
        names: &[String],
        numbers: &[HashMap<usize, usize>],
    ) -> Vec<(source::Span, Transition)> {
        let mut found = Vec::new();
        let ends: Vec<(usize, &Arm, &Half)> = edges
            .iter()
            .enumerate()
            .flat_map(|(at, e)| e.arms.iter().filter_map(move |a| Some((at, a, a.path.half.as_ref()?))))
            .collect();
        for (s, sending, sender) in ends.iter().filter(|(_, _, h)| h.sent.is_some()) {
            for (r, receiving, receiver) in ends.iter().filter(|(_, _, h)| h.sent.is_none()) {
                if sender.channel != receiver.channel || !self.are_parallel(&edges[*s], &edges[*r]) {
                    continue;
                }
                let name = format!("{}_{}", names[*s], names[*r]);
                let send = self.branch(&edges[*s], sending, numbers);
                let receive = self.branch(&edges[*r], receiving, numbers);
                let made =
                    self.communication(name, (&edges[*s], send, sender), (&edges[*r], receive, receiver));
                found.push((edges[*s].span, made));
            }
        }
        // A transition without a partner stays impossible; that is worth a word.
        for (at, edge) in edges.iter().enumerate() {
            let half = |a: &Arm| a.path.half.is_some();
            let partner = |t: &Transition| t.name.split('_').any(|part| part == names[at]);
            if edge.arms.iter().any(half) && !found.iter().any(|(_, t)| partner(t)) {
                self.diagnostics.push(Diagnostic::warning(
                    "W0736",
                    edge.span,
                    "nobody is at the other end of this channel",
                ));
            }
        }
        found
    }

    /// Whether two edges belong to different threads, or to different replicas of one, neither inside the other.
    fn are_parallel(&self, a: &Edge, b: &Edge) -> bool {
        let inside = |mut thread: usize, outer: usize| loop {
            match self.threads[thread].parent {
                Some(parent) if parent == outer => return true,
                Some(parent) => thread = parent,
                None => return false,
            }
        };
        if a.thread == b.thread {
            return self.threads[a.thread].replica.is_some();
        }
        !inside(a.thread, b.thread) && !inside(b.thread, a.thread)
    }

    fn communication(
        &mut self,
        name: String,
        (s, send, sender): (&Edge, Branch, &Half),
        (r, receive, receiver): (&Edge, Branch, &Half),
    ) -> Transition {
        let mut parameters: Vec<Parameter> = self.threads[s.thread].replica.clone().into_iter().collect();
        let (mut receive, mut indices) = (receive, receiver.indices.clone());
        let mut apart = Expr::TRUE;
        if let Some(index) = self.threads[r.thread].replica.clone() {
            // The receiver has an index of its own.
            let own = Symbol::new(format!("{}!r", index.symbol.name), Sort::Int);
            let rename = |e: &Expr| e.substitute(&|s| (s.name == index.symbol.name).then(|| own.expr()));
            receive = rename_branch(&receive, &rename);
            indices = indices.iter().map(rename).collect();
            if s.thread == r.thread {
                apart = Expr::negation(Expr::eq(index.symbol.expr(), own.expr()));
            }
            parameters.push(Parameter { symbol: own, low: index.low, high: index.high });
        }
        let message = sender.sent.as_deref().unwrap_or_default();
        let part = |s: &Symbol| message.get(s.name.strip_prefix(MESSAGE)?.parse::<usize>().ok()?).cloned();
        let receive = rename_branch(&receive, &|e| e.substitute(&part));
        let same =
            Expr::and(sender.indices.iter().zip(&indices).map(|(a, b)| Expr::eq(a.clone(), b.clone())));
        let mut updates = send.updates.clone();
        for (symbol, value) in &receive.updates {
            match updates.iter_mut().find(|(s, _)| s == symbol) {
                None => updates.push((symbol.clone(), value.clone())),
                // Both write the same array, at different places: one write after the other.
                Some((_, first)) if matches!(symbol.sort, Sort::Array(_)) => {
                    *first = rebase(value, symbol, first);
                }
                Some(_) => self.diagnostics.push(Diagnostic::error(
                    "E0737",
                    s.span,
                    format!("sender and receiver both change `{}`", symbol.name),
                )),
            }
        }
        let branch = Branch {
            guard: Expr::and([send.guard, receive.guard, same, apart]),
            chosen: send.chosen.into_iter().chain(receive.chosen).collect(),
            choice: Expr::and([send.choice, receive.choice]),
            updates,
        };
        Transition {
            name,
            parameters,
            branches: vec![branch],
            fairness: system::fts::Fairness::Compassionate,
            text: format!("{} || {}", self.text_of(s.span), self.text_of(r.span)),
            span: s.span,
        }
    }
}

/// The writes of `value` to an array on top of those of `first`.
fn rebase(value: &Expr, symbol: &Symbol, first: &Expr) -> Expr {
    match value {
        Expr::Apply(Op::Store, parts) => {
            Expr::store(rebase(&parts[0], symbol, first), parts[1].clone(), parts[2].clone())
        }
        Expr::Symbol(s) if s == symbol => first.clone(),
        other => other.clone(),
    }
}

fn rename_branch(branch: &Branch, rename: &dyn Fn(&Expr) -> Expr) -> Branch {
    Branch {
        guard: rename(&branch.guard),
        chosen: branch.chosen.clone(),
        choice: rename(&branch.choice),
        updates: branch.updates.iter().map(|(s, e)| (s.clone(), rename(e))).collect(),
    }
}

/// That a thread is at a location: for replicas, the one with the index, or all of them.
fn at_location(control: &Symbol, replica: Option<&Parameter>, number: i64, all: bool) -> Expr {
    let number = Expr::int(number);
    match replica {
        None => Expr::eq(control.expr(), number),
        Some(index) => {
            let at = Expr::eq(Expr::select(control.expr(), index.symbol.expr()), number);
            let range = Some(Box::new((index.low.clone(), index.high.clone())));
            let binder = system::fts::Binder { symbol: index.symbol.clone(), range };
            if all { Expr::forall(vec![binder], at) } else { at }
        }
    }
}

fn control_domain(replica: &Option<Parameter>, locations: usize, nested: bool) -> system::fts::Domain {
    let low = Expr::int(if nested { ASLEEP } else { 0 });
    let each = system::fts::Domain::Range { low, high: Expr::int(locations as i64 - 1) };
    match replica {
        None => each,
        Some(index) => system::fts::Domain::Array {
            low: index.low.clone(),
            high: index.high.clone(),
            element: Some(Box::new(each)),
        },
    }
}
