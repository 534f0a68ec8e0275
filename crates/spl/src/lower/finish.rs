//! From threads and edges to transitions: numbers for locations, names for transitions, pairs of
//! communications.

use super::Lowering;
use super::control::{Arm, Edge};
use super::paths::{Half, MESSAGE};
use logic::fol::{Op, Sort, Symbol, Term};
use num_traits::ToPrimitive;
use source::Diagnostic;
use std::collections::{BTreeSet, HashMap};
use system::fts::{Branch, Domain, Location, Mode, Parameter, Thread, Transition, TypeCheck, Variable};

/// What a sleeping thread's control variable holds.
const ASLEEP: i64 = -1;
/// Replicas that a step starts one by one.
const AT_ONCE: i64 = 64;

impl Lowering<'_> {
    pub(crate) fn finish(&mut self) {
        self.numbers = (0..self.threads.len()).map(|t| self.number(t)).collect();
        self.declare_control();
        let mut edges = std::mem::take(&mut self.edges);
        self.labels_known(&mut edges);
        let names = self.names(&edges);
        let mut transitions = Vec::new();
        for (edge, name) in edges.iter().zip(&names) {
            self.type_checks(edge);
            if edge.arms.iter().all(|a| a.path.half.is_some()) {
                continue;
            }
            let arms = edge.arms.iter().filter(|a| a.path.half.is_none());
            let branches = arms.map(|arm| self.branch(edge, arm)).collect();
            transitions.push((edge.span, self.transition(edge, name.clone(), branches)));
        }
        transitions.extend(self.communications(&edges, &names));
        // In the order of the text; `sort_by_key` keeps what stands at one place in order.
        transitions.sort_by_key(|(span, _)| (span.file, span.start));
        let mut names: HashMap<String, usize> = HashMap::new();
        for (_, mut transition) in transitions {
            let count = names.entry(transition.name.to_string()).or_insert(0);
            *count += 1;
            if *count > 1 {
                transition.name = format!("{}..{count}", transition.name);
            }
            self.fts.transitions.push(transition);
        }
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

    fn declare_control(&mut self) {
        for (at, thread) in self.threads.iter().enumerate() {
            let sort = thread.replicas.iter().fold(Sort::Int, |sort, _| Sort::array(Sort::Int, sort));
            let control = Symbol::constant(format!("pi{at}"), sort);
            let mut locations = vec![Location::default(); self.numbers[at].len()];
            for (l, n) in &self.numbers[at] {
                let place = &thread.locations[*l];
                locations[*n] = Location {
                    labels: place.labels.iter().map(|i| i.name.to_string()).collect(),
                    span: place.span,
                };
            }
            let begin = match thread.parent {
                Some(_) => ASLEEP,
                None => self.numbered(at, thread.entry),
            };
            let replicas = &thread.replicas[..];
            self.initial.push(for_all(replicas, at_location(&control, replicas, begin)));
            self.fts.variables.push(Variable {
                symbol: control.clone(),
                mode: Mode::Control,
                range: Some(control_domain(replicas, locations.len(), thread.parent.is_some())),
                span: thread.locations[thread.entry].span,
            });
            self.fts.threads.push(Thread {
                control,
                process: thread.process.clone(),
                locations,
                replicated: replicas.first().cloned(),
                nested: thread.parent.is_some(),
            });
        }
    }

    /// A name for each edge: its label, or that of its location, made unique.
    fn names(&mut self, edges: &[Edge]) -> Vec<String> {
        let mut taken: HashMap<String, usize> = HashMap::new();
        let mut names = Vec::new();
        for edge in edges {
            let at = self.same(edge.thread, edge.pre);
            let of_location = self.threads[edge.thread].locations[at].labels.first();
            let wanted = match edge.label.as_ref().or(of_location) {
                Some(label) => label.name.to_string(),
                None => {
                    let process = &self.threads[edge.thread].process;
                    let number = self.numbered(edge.thread, at);
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
                let message = format!("label `{}` is used twice", label.name);
                twice.push(Diagnostic::error("E0735", label.span, message).also(first, "first here"));
            }
        }
        self.diagnostics.extend(twice);
    }

    /// A branch with its control.
    fn branch(&mut self, edge: &Edge, arm: &Arm) -> Branch {
        let mut branch = arm.path.branch.clone();
        let mut guard = vec![self.at(edge.thread, edge.pre)];
        let own = self.threads[edge.thread].replicas.len();
        let post = self.numbered(edge.thread, arm.post);
        let mut updates = vec![self.set(edge.thread, own, post, &mut branch)];
        for joined in &edge.joins {
            let ended = self.at(*joined, self.threads[*joined].exit);
            guard.push(for_all(&self.threads[*joined].replicas[own..], ended));
            updates.push(self.set(*joined, own, ASLEEP, &mut branch));
        }
        for started in &edge.starts {
            let entry = self.numbered(*started, self.threads[*started].entry);
            updates.push(self.set(*started, own, entry, &mut branch));
        }
        branch.guard = Term::all(guard.into_iter().chain([branch.guard]));
        branch.updates.splice(0..0, updates);
        branch
    }

    /// The number of a location.
    fn numbered(&self, thread: usize, location: usize) -> i64 {
        self.numbers[thread][&self.same(thread, location)] as i64
    }

    fn at(&self, thread: usize, location: usize) -> Term {
        let number = self.numbered(thread, location);
        at_location(&self.fts.threads[thread].control, &self.threads[thread].replicas, number)
    }

    /// Sets the control of a thread: of the replica with the `own` first indices that are at hand,
    /// and of all behind them.
    fn set(&mut self, thread: usize, own: usize, value: i64, branch: &mut Branch) -> (Symbol, Term) {
        let control = self.fts.threads[thread].control.clone();
        let replicas = self.threads[thread].replicas.clone();
        let value = self.stored(control.term(), (&replicas, own), value, branch);
        (control, value)
    }

    fn stored(
        &mut self,
        array: Term,
        (replicas, own): (&[Parameter], usize),
        value: i64,
        branch: &mut Branch,
    ) -> Term {
        let Some((index, rest)) = replicas.split_first() else { return Term::int(value) };
        if own > 0 {
            let inner = array.select(&index.symbol.term());
            let inner = self.stored(inner, (rest, own - 1), value, branch);
            return array.store(&index.symbol.term(), &inner);
        }
        if let (Op::Int(low), Op::Int(high)) = (index.low.op(), index.high.op())
            && let (Some(low), Some(high)) = (low.to_i64(), high.to_i64())
            && high - low < AT_ONCE
        {
            return (low..=high).map(Term::int).fold(array, |array, n| {
                let inner = self.stored(array.select(&n), (rest, 0), value, branch);
                array.store(&n, &inner)
            });
        }
        // How many there are is not known: some array in which all of them are there.
        self.choices += 1;
        let chosen = Symbol::constant(format!("chosen!{}", self.choices), array.sort().clone());
        let all = for_all(replicas, at_location(&chosen, replicas, value));
        branch.choice = Term::all([branch.choice.clone(), all]);
        branch.chosen.push(chosen.clone());
        chosen.term()
    }

    fn transition(&self, edge: &Edge, name: String, branches: Vec<Branch>) -> Transition {
        Transition {
            name,
            parameters: self.threads[edge.thread].replicas.clone(),
            branches,
            fairness: edge.fairness,
            text: self.text_of(edge.span),
            span: edge.span,
        }
    }

    fn type_checks(&mut self, edge: &Edge) {
        let at = self.at(edge.thread, edge.pre);
        // What speaks of a message is for each sender to say.
        for check in edge.checks.iter().filter(|c| !mentions_message(&c.condition)) {
            self.fts.type_checks.push(TypeCheck {
                what: check.what.clone(),
                parameters: self.threads[edge.thread].replicas.clone(),
                condition: Term::implication(at.clone(), check.condition.clone()),
                span: check.span,
            });
        }
    }

    /// One transition for each sender and receiver of a channel that can be at their places
    /// together.
    fn communications(&mut self, edges: &[Edge], names: &[String]) -> Vec<(source::Span, Transition)> {
        let (mut found, mut partners) = (Vec::new(), BTreeSet::new());
        let ends: Vec<(usize, &Arm, &Half)> = edges
            .iter()
            .enumerate()
            .flat_map(|(at, e)| e.arms.iter().filter_map(move |a| Some((at, a, a.path.half.as_ref()?))))
            .collect();
        for (s, sending, sender) in ends.iter().filter(|(_, _, h)| h.sent.is_some()) {
            for (r, receiving, receiver) in ends.iter().filter(|(_, _, h)| h.sent.is_none()) {
                let Some(shared) = self.shared(edges[*s].thread, edges[*r].thread) else { continue };
                if sender.channel != receiver.channel {
                    continue;
                }
                partners.extend([*s, *r]);
                let name = format!("{}_{}", names[*s], names[*r]);
                let send = self.branch(&edges[*s], sending);
                let receive = self.branch(&edges[*r], receiving);
                let (send, receive) = ((&edges[*s], send, *sender), (&edges[*r], receive, *receiver));
                let made = self.communication(name, send, receive, shared);
                found.push((edges[*s].span, made));
            }
        }
        // A transition without a partner stays impossible; that is worth a word.
        for (at, edge) in edges.iter().enumerate() {
            let half = |a: &Arm| a.path.half.is_some();
            if edge.arms.iter().any(half) && !partners.contains(&at) {
                self.diagnostics.push(Diagnostic::warning(
                    "W0736",
                    edge.span,
                    "no process is at the other end of this channel",
                ));
            }
        }
        found
    }

    /// How two threads can be at work together: one that waits for the other, or is it, must be
    /// another replica. This many of the first indices must then not all be the same; none if they
    /// are never at work together.
    fn shared(&self, a: usize, b: usize) -> Option<usize> {
        let inside = |mut thread: usize, outer: usize| loop {
            match self.threads[thread].parent {
                Some(parent) if parent == outer => return true,
                Some(parent) => thread = parent,
                None => return false,
            }
        };
        let outer = match (a == b || inside(b, a), inside(a, b)) {
            (true, _) => a,
            (false, true) => b,
            (false, false) => return Some(0),
        };
        let indices = self.threads[outer].replicas.len();
        (indices > 0).then_some(indices)
    }

    fn communication(
        &mut self,
        name: String,
        (s, send, sender): (&Edge, Branch, &Half),
        (r, receive, receiver): (&Edge, Branch, &Half),
        shared: usize,
    ) -> Transition {
        let mut parameters: Vec<Parameter> = self.threads[s.thread].replicas.clone();
        // The receiver has indices of its own.
        let receivers = self.threads[r.thread].replicas.clone();
        let own = |s: &Symbol| Symbol::constant(format!("{}!r", s.name), Sort::Int);
        let own_choice = |s: &Symbol| Symbol::constant(format!("{}!r", s.name), s.sort.clone());
        let chosen = receive.chosen.clone();
        let renamed = |s: &Symbol| match s {
            s if receivers.iter().any(|p| p.symbol.name == s.name) => Some(own(s).term()),
            s if chosen.contains(s) => Some(own_choice(s).term()),
            _ => None,
        };
        let rename = |e: &Term| e.substitute(&renamed);
        let mut receive = receive.map(rename);
        receive.chosen = chosen.iter().map(own_choice).collect();
        let indices: Vec<Term> = receiver.indices.iter().map(rename).collect();
        let same = receivers.iter().take(shared).map(|p| Term::eq(p.symbol.term(), own(&p.symbol).term()));
        let apart = if shared > 0 { Term::negation(Term::all(same)) } else { Term::truth(true) };
        parameters.extend(receivers.iter().map(|p| Parameter {
            symbol: own(&p.symbol),
            low: p.low.clone(),
            high: p.high.clone(),
        }));
        let message = sender.sent.as_deref().unwrap_or_default();
        let part = |s: &Symbol| message.get(s.name.strip_prefix(MESSAGE)?.parse::<usize>().ok()?).cloned();
        let receive = receive.map(|e| e.substitute(&part));
        let same =
            Term::all(sender.indices.iter().zip(&indices).map(|(a, b)| Term::eq(a.clone(), b.clone())));
        let mut updates = send.updates.clone();
        for (symbol, value) in &receive.updates {
            match updates.iter_mut().find(|(s, _)| s == symbol) {
                None => updates.push((symbol.clone(), value.clone())),
                // Both write the same array, at different places: one write after the other.
                Some((_, first)) if matches!(symbol.sort, Sort::Array(..)) => {
                    *first = rebase(value, &symbol.term(), first);
                }
                Some(_) => self.diagnostics.push(Diagnostic::error(
                    "E0737",
                    s.span,
                    format!("sender and receiver both change `{}`", symbol.name),
                )),
            }
        }
        let both = Term::all([send.guard, receive.guard, same, apart]);
        for check in r.checks.iter().filter(|c| mentions_message(&c.condition)) {
            let condition = rename(&check.condition).substitute(&part);
            self.fts.type_checks.push(TypeCheck {
                what: check.what.replace(&format!("{MESSAGE}0"), "the message"),
                parameters: parameters.clone(),
                condition: Term::implication(both.clone(), condition),
                span: check.span,
            });
        }
        let branch = Branch {
            guard: both,
            chosen: send.chosen.into_iter().chain(receive.chosen).collect(),
            choice: Term::all([send.choice, receive.choice]),
            updates,
        };
        Transition {
            name,
            parameters,
            branches: vec![branch],
            fairness: system::fts::Fairness::Strong,
            text: format!("{} || {}", self.text_of(s.span), self.text_of(r.span)),
            span: s.span,
        }
    }
}

/// Whether a formula speaks of the message that is being handed over.
fn mentions_message(e: &Term) -> bool {
    e.symbols().keys().any(|name| name.starts_with(MESSAGE))
}

/// The writes of `value` to the array `old` on top of those that made `new` of it. What is read is
/// read before both.
fn rebase(value: &Term, old: &Term, new: &Term) -> Term {
    match (value.op(), value.arguments()) {
        (Op::Store, [base, index, inner]) => {
            let array = rebase(base, old, new);
            let inner = match inner.op() {
                // A write to an array inside the array.
                Op::Store => rebase(inner, &base.select(index), &array.select(index)),
                _ => inner.clone(),
            };
            array.store(index, &inner)
        }
        _ if value == old => new.clone(),
        _ => value.clone(),
    }
}

/// That a thread is at a location; of replicas, the one with the indices.
fn at_location(control: &Symbol, replicas: &[Parameter], number: i64) -> Term {
    let select = |array: Term, index: &Parameter| array.select(&index.symbol.term());
    Term::eq(replicas.iter().fold(control.term(), select), Term::int(number))
}

/// That something holds for all indices.
pub(crate) fn for_all(replicas: &[Parameter], e: Term) -> Term {
    if replicas.is_empty() { e } else { Term::every(replicas.iter().map(Parameter::binder).collect(), e) }
}

fn control_domain(replicas: &[Parameter], locations: usize, nested: bool) -> Domain {
    let low = Term::int(if nested { ASLEEP } else { 0 });
    let one = Domain::Range { low, high: Term::int(locations as i64 - 1) };
    let each = |element: Domain, index: &Parameter| Domain::Array {
        low: index.low.clone(),
        high: index.high.clone(),
        element: Some(Box::new(element)),
    };
    replicas.iter().rev().fold(one, each)
}
