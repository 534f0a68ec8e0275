//! The flow of control: threads, their locations, and edges between them.
//!
//! Locations are numbered in the order of the text at the end; a label names the location before
//! its statement, so the label of a sequence and that of its first part are one, as are those of a
//! selection and of its branches.

use super::Lowering;
use super::expressions::Check;
use super::paths::{Action, Path};
use super::scope::{Entry, is_parallel};
use super::types::{Ty, Typed};
use crate::ast::{self, Ident, Statement, StatementKind};
use logic::fol::{Sort, Symbol, Term};
use source::{Diagnostic, Span};
use system::fts::{Branch, Fairness, Parameter};

pub(crate) struct Thread {
    pub(crate) process: String,
    /// The indices of the processes it is part of, the outermost first.
    pub(crate) replicas: Vec<Parameter>,
    /// The thread that waits for this one, if it is part of a nested parallel statement.
    pub(crate) parent: Option<usize>,
    pub(crate) locations: Vec<Place>,
    pub(crate) entry: usize,
    pub(crate) exit: usize,
}

pub(crate) struct Place {
    pub(crate) labels: Vec<Ident>,
    /// Where its statement begins; what lies behind the last statement comes last.
    pub(crate) position: u32,
    pub(crate) span: Span,
    /// The location it turned out to be.
    pub(crate) same_as: Option<usize>,
}

/// One way along an edge.
#[derive(Clone)]
pub(crate) struct Arm {
    pub(crate) path: Path,
    pub(crate) post: usize,
}

#[derive(Clone)]
pub(crate) struct Edge {
    pub(crate) thread: usize,
    pub(crate) pre: usize,
    pub(crate) arms: Vec<Arm>,
    pub(crate) fairness: Fairness,
    pub(crate) label: Option<Ident>,
    pub(crate) span: Span,
    pub(crate) checks: Vec<Check>,
    /// Threads that begin here, and threads that must have ended and fall asleep here.
    pub(crate) starts: Vec<usize>,
    pub(crate) joins: Vec<usize>,
}

impl Edge {
    /// A step of a statement, treated fairly; nothing need hold for it to make sense.
    fn new(s: &Statement, thread: usize, pre: usize, arms: Vec<Arm>) -> Edge {
        let (fairness, label) = (Fairness::Weak, s.labels.first().cloned());
        let (checks, starts, joins) = (Vec::new(), Vec::new(), Vec::new());
        Edge { thread, pre, arms, fairness, label, span: s.span, checks, starts, joins }
    }
}

impl Arm {
    /// Goes on where a condition holds, and changes nothing.
    fn test(guard: Term, post: usize) -> Arm {
        Arm { path: Path { branch: Branch::new(guard, Vec::new()), half: None }, post }
    }
}

/// Two locations of a thread, with a statement between them.
#[derive(Clone, Copy)]
struct Between {
    thread: usize,
    pre: usize,
    post: usize,
}

impl Lowering<'_> {
    /// The threads of a whole program.
    pub(crate) fn program(&mut self, body: &Statement) {
        self.components(body, "");
    }

    fn components(&mut self, s: &Statement, process: &str) {
        match &s.kind {
            StatementKind::Parallel(parts) => parts.iter().for_each(|part| self.components(part, process)),
            StatementKind::Replicated(index, low, high, inner) => {
                let first = self.threads.len();
                self.replicated(index, (low, high), |me| me.components(inner, process));
                // Where its only component is, there it is itself.
                if self.threads.len() == first + 1 {
                    self.label_ends(first, s);
                }
            }
            StatementKind::Process(name, inner) if is_parallel(inner) => self.components(inner, &name.name),
            StatementKind::Block(declarations, inner) if is_parallel(inner) => {
                self.in_block(declarations, |me| me.components(inner, process));
            }
            _ => {
                self.thread(s, process, None);
            }
        }
    }

    /// Reads what there is one of for each index.
    fn replicated<T>(
        &mut self,
        index: &Ident,
        (low, high): (&ast::Expr, &ast::Expr),
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let span = low.span.to(high.span);
        let (low, high) = self.without_labels(|me| (me.integer(low), me.integer(high)));
        let outer = |e: &Term| self.replicas.iter().any(|p| e.symbols().contains_key(&p.symbol.name));
        if outer(&low) || outer(&high) {
            self.report(
                Diagnostic::error("E0734", span, "the number of processes depends on another process")
                    .help("the bounds of a parameterized composition inside another are the same for all"),
            );
        }
        let symbol = Symbol::constant(self.unique(&index.name), Sort::Int);
        self.scopes.enter();
        let ty = Ty::Int(Some(Box::new((low.clone(), high.clone()))));
        self.declare(&index.name, index.span, Entry::Value(Typed::term(ty, symbol.term())));
        self.replicas.push(Parameter { symbol, low, high });
        let result = read(self);
        self.replicas.pop();
        self.scopes.leave();
        result
    }

    /// A thread that executes a statement from its beginning to its end.
    fn thread(&mut self, s: &Statement, process: &str, parent: Option<usize>) -> usize {
        let (process, s) = match &s.kind {
            StatementKind::Process(name, inner) => (name.name.to_string(), &**inner),
            _ => (process.to_string(), s),
        };
        let replicas = self.replicas.clone();
        let at = self.threads.len();
        self.threads.push(Thread { process, replicas, parent, locations: Vec::new(), entry: 0, exit: 0 });
        let entry = self.location(at, s.span.start, s.span);
        let exit = self.location(at, u32::MAX, s.span.after());
        (self.threads[at].entry, self.threads[at].exit) = (entry, exit);
        self.flow(s, Between { thread: at, pre: entry, post: exit });
        at
    }

    fn location(&mut self, thread: usize, position: u32, span: Span) -> usize {
        let locations = &mut self.threads[thread].locations;
        locations.push(Place { labels: Vec::new(), position, span, same_as: None });
        locations.len() - 1
    }

    /// A statement between two locations.
    fn flow(&mut self, s: &Statement, between: Between) {
        let Between { thread, pre, post } = between;
        self.threads[thread].locations[pre].labels.extend(s.labels.iter().cloned());
        self.threads[thread].locations[post].labels.extend(s.after.iter().cloned());
        match &s.kind {
            StatementKind::Sequence(parts) => {
                let mut at = pre;
                for (n, part) in parts.iter().enumerate() {
                    let next = match parts.get(n + 1) {
                        Some(next) => self.location(thread, next.span.start, next.span),
                        None => post,
                    };
                    self.flow(part, Between { thread, pre: at, post: next });
                    at = next;
                }
            }
            StatementKind::Block(declarations, inner) => {
                self.in_block(declarations, |me| me.flow(inner, between));
            }
            StatementKind::Process(_, inner) => self.flow(inner, between),
            StatementKind::Loop(inner) => self.flow(inner, Between { post: pre, ..between }),
            StatementKind::Or(parts) => {
                for part in parts {
                    self.first_steps(part, between, &Term::truth(true), s);
                }
            }
            StatementKind::When(condition, inner) => {
                let (condition, checks) = self.checked(|me| me.assertion(condition));
                let first = self.edges.len();
                self.first_steps(inner, between, &condition, s);
                if let Some(edge) = self.edges.get_mut(first) {
                    edge.checks.extend(checks);
                }
            }
            StatementKind::If(condition, then, otherwise) => {
                let (condition, checks) = self.checked(|me| me.assertion(condition));
                let yes = self.location(thread, then.span.start, then.span);
                let no = match otherwise {
                    Some(inner) => self.location(thread, inner.span.start, inner.span),
                    None => post,
                };
                self.test(s, between, (Arm::test(condition, yes), no), checks);
                self.flow(then, Between { pre: yes, ..between });
                if let Some(inner) = otherwise {
                    self.flow(inner, Between { pre: no, ..between });
                }
            }
            StatementKind::While(condition, inner) => {
                let (condition, checks) = self.checked(|me| me.assertion(condition));
                let body = self.location(thread, inner.span.start, inner.span);
                self.test(s, between, (Arm::test(condition, body), post), checks);
                self.flow(inner, Between { thread, pre: body, post: pre });
            }
            StatementKind::Parallel(parts) => self.fork(s, parts, between),
            StatementKind::Replicated(..) => self.fork(s, std::slice::from_ref(s), between),
            StatementKind::Error => {}
            _ => {
                let Action { paths, fairness, checks } = self.action(s);
                let arms = paths.into_iter().map(|path| Arm { path, post }).collect();
                self.edges.push(Edge { fairness, checks, ..Edge::new(s, thread, pre, arms) });
            }
        }
    }

    /// One transition with two ways out: where a test holds, and elsewhere.
    fn test(&mut self, s: &Statement, at: Between, (yes, no): (Arm, usize), checks: Vec<Check>) {
        let no = Arm::test(Term::negation(yes.path.branch.guard.clone()), no);
        let arms = [yes, no].into_iter().filter(|a| a.path.branch.guard != Term::truth(false));
        self.edges.push(Edge { checks, ..Edge::new(s, at.thread, at.pre, arms.collect()) });
    }

    /// A statement whose first steps start at `pre` and need `guard`. If the statement comes back
    /// to its beginning without them (a loop), that is another location.
    fn first_steps(&mut self, s: &Statement, between: Between, guard: &Term, whole: &Statement) {
        let Between { thread, pre, .. } = between;
        let own = self.location(thread, s.span.start, s.span);
        let first = self.edges.len();
        self.flow(s, Between { pre: own, ..between });
        let comes_back = self.edges[first..]
            .iter()
            .any(|e| e.thread == thread && e.arms.iter().any(|a| self.same(thread, a.post) == own));
        let mut copies = Vec::new();
        for at in first..self.edges.len() {
            let edge = &self.edges[at];
            if edge.thread != thread || self.same(thread, edge.pre) != own {
                continue;
            }
            let mut edge = edge.clone();
            edge.pre = pre;
            for arm in &mut edge.arms {
                let branch = &mut arm.path.branch;
                branch.guard = Term::all([guard.clone(), branch.guard.clone()]);
            }
            for check in &mut edge.checks {
                check.condition = Term::implication(guard.clone(), check.condition.clone());
            }
            edge.label = edge.label.or_else(|| whole.labels.first().cloned());
            if comes_back { copies.push(edge) } else { self.edges[at] = edge }
        }
        self.edges.extend(copies);
        if !comes_back {
            let labels = std::mem::take(&mut self.threads[thread].locations[own].labels);
            self.threads[thread].locations[pre].labels.extend(labels);
            self.threads[thread].locations[own].same_as = Some(pre);
        }
    }

    /// The location that a location turned out to be.
    pub(crate) fn same(&self, thread: usize, mut at: usize) -> usize {
        while let Some(other) = self.threads[thread].locations[at].same_as {
            at = other;
        }
        at
    }

    /// A component of a parallel statement inside a thread; one thread for all replicas if there
    /// are several.
    fn component(&mut self, s: &Statement, parent: usize) -> usize {
        match &s.kind {
            StatementKind::Replicated(index, low, high, inner) => {
                let thread = self.replicated(index, (low, high), |me| me.component(inner, parent));
                self.label_ends(thread, s);
                thread
            }
            _ => self.thread(s, "", Some(parent)),
        }
    }

    /// The labels of a statement that is all that a thread does.
    fn label_ends(&mut self, thread: usize, s: &Statement) {
        let thread = &mut self.threads[thread];
        thread.locations[thread.entry].labels.extend(s.labels.iter().cloned());
        thread.locations[thread.exit].labels.extend(s.after.iter().cloned());
    }

    /// A parallel statement inside a thread: a step that starts the components, one that waits for
    /// their ends.
    fn fork(&mut self, s: &Statement, parts: &[Statement], Between { thread, pre, post }: Between) {
        let inside = self.location(thread, s.span.start, s.span);
        let children: Vec<usize> = parts.iter().map(|part| self.component(part, thread)).collect();
        let edge = |pre, post| Edge::new(s, thread, pre, vec![Arm::test(Term::truth(true), post)]);
        let entry = Edge { starts: children.clone(), ..edge(pre, inside) };
        let exit = Edge { label: None, joins: children, ..edge(inside, post) };
        self.edges.extend([entry, exit]);
    }
}
