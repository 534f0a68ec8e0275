//! Responses by ranks that are found, p ==> <> q: stages with helpful transitions and tuples of
//! whole numbers that go down.
//!
//! The graph of control (`graph.rs`) is taken apart into strongly connected components. Between
//! them, their order is a rank. A component is a stage if a fair transition is enabled all over it
//! and leads out of it. Else a linear expression over the variables is looked for that no step
//! inside it increases and that some steps decrease while it is positive; those steps are taken
//! out, and what is left is taken apart again. So the tuple of a stage has, in turn, numbers of
//! components and linear expressions (`max(e, 0)`, so that each is bounded).
//!
//! This is the lexicographic construction of Alias, Darte, Feautrier and Gonnord
//! (*Multi-dimensional rankings, program termination, and complexity bounds*), with candidates from
//! guards before those of Farkas' lemma (`farkas.rs`), and with helpful transitions after Manna and
//! Pnueli's rule WELL. The choice of one expression never spoils another, so there is no
//! backtracking. Nothing found is trusted: the conditions of WELL are proved like any others.

mod farkas;
mod graph;

use crate::condition::Lemma;
use crate::discharge::{Judge, OUT_OF_TIME};
use crate::rules::{self, Stage, Target};
use crate::strengthen::{self, Attempt};
use graph::{Edge, Graph, comparisons, differences};
use logic::fol::{Op, Sort, Symbol, Term};
use num_bigint::BigInt;
use std::sync::Arc;
use system::fts::evidence::RECURS;
use system::fts::{Evidence, Fairness, Fts, Helped, Helpful, Mode};

/// Linear expressions that are tried.
const CANDIDATES: usize = 80;
/// Comparisons that tell vertices apart.
const FORMULAS: usize = 4;

/// A fair transition with its parameters.
struct Helper {
    transition: usize,
    parameters: Vec<BigInt>,
    enabled: Term,
}

/// Vertices with what helps there and the end of their rank.
struct Ranked {
    vertices: Vec<usize>,
    /// What else is true in the stage.
    also: Term,
    leads: Leads,
    rank: Vec<Term>,
}

/// What leads on from a stage.
#[derive(Clone, Copy)]
enum Leads {
    Helper(usize),
    /// Something of what recurs, by its number.
    Recurs(usize),
}

/// Proves p ==> <> q, where p and q speak of rigid values that satisfy `given`.
pub fn ranked(judge: &Judge<'_>, target: Target<'_>, given: &Term, background: &[Lemma]) -> Attempt {
    let Target { from: p, goal: q, again } = target;
    let open = Term::all([given.clone(), Term::negation(q.clone())]);
    // What holds until the goal is reached narrows down where control may be.
    let (with, until) = (Term::all([open.clone(), p.clone()]), Term::any([p.clone(), q.clone()]));
    let stays = strengthen::failing(judge, &with, &until, background).is_empty();
    let before = if stays { with } else { open };
    let mut why = "no stage is found";
    for formulas in splits(judge.fts, target) {
        let graph = Graph::new(judge, background, (p, before.clone()), &formulas);
        match graph.and_then(|graph| found(&graph, again)) {
            Ok(stages) if !stages.is_empty() => return proved(judge, target, stages, background),
            Ok(_) => {}
            Err(_) if judge.is_over() => return Attempt::given_up(OUT_OF_TIME),
            Err(reason) => why = reason,
        }
    }
    Attempt::given_up(why)
}

/// The formulas whose truth tells vertices apart: what recurs; then the comparisons of the fair
/// transitions and of the goal as well.
fn splits(fts: &Fts, Target { goal, again, .. }: Target<'_>) -> Vec<Vec<Term>> {
    let mut more = again.to_vec();
    comparisons(goal, &mut more);
    let fair = fts.transitions.iter().filter(|t| t.fairness != Fairness::None);
    fair.flat_map(|t| &t.branches).for_each(|b| comparisons(&b.guard, &mut more));
    let bound = |e: &Term| {
        let symbols = e.symbols();
        let known =
            |name: &Arc<str>| fts.variable(name).is_some() || fts.rigid.iter().any(|r| r.name == *name);
        let control = |name: &Arc<str>| fts.threads.iter().any(|t| t.control.name == *name);
        symbols.keys().all(|name| known(name) && !control(name))
    };
    let kept = again.len();
    let mut at = 0;
    more.retain(|e| {
        at += 1;
        at <= kept || bound(e)
    });
    more.truncate(kept + FORMULAS);
    if more.len() == kept { vec![more] } else { vec![again.to_vec(), more] }
}

fn found(graph: &Graph<'_>, again: &[Term]) -> Result<Vec<Stage>, &'static str> {
    let search = Search { helpers: helpers(graph), candidates: candidates(graph), graph, again };
    let vertices: Vec<usize> = (0..graph.vertices.len()).collect();
    let found = search.order(&vertices, &graph.edges);
    Ok(search.stages(found.ok_or("no rank is found that goes down all over some loop")?))
}

fn proved(judge: &Judge<'_>, target: Target<'_>, stages: Vec<Stage>, background: &[Lemma]) -> Attempt {
    match rules::well(judge.fts, target, &stages, background) {
        Ok(conditions) => {
            let attempt = Attempt::of(judge.judge_all("WELL-J", &conditions));
            attempt.by(Evidence::Ranked(stages.into_iter().map(helped).collect()))
        }
        Err(rules::NotApplicable(why)) => Attempt::given_up(why),
    }
}

fn helped(Stage { phi, helpful, rank }: Stage) -> Helped {
    Helped { phi, helpful, rank, again: None }
}

struct Search<'a> {
    graph: &'a Graph<'a>,
    again: &'a [Term],
    helpers: Vec<Helper>,
    candidates: Vec<Term>,
}

impl Search<'_> {
    /// Ranks for some vertices so that all edges between them go down, or stay in a stage.
    fn order(&self, vertices: &[usize], edges: &[Edge]) -> Option<Vec<Ranked>> {
        let mut all = Vec::new();
        for (number, component) in components(vertices, edges).into_iter().enumerate() {
            let within = |e: &&Edge| component.contains(&e.from) && component.contains(&e.to);
            let inner: Vec<Edge> = edges.iter().filter(within).copied().collect();
            for mut ranked in self.component(component, &inner)? {
                ranked.rank.insert(0, Term::int(number as i64));
                all.push(ranked);
            }
        }
        Some(all)
    }

    fn component(&self, vertices: Vec<usize>, inner: &[Edge]) -> Option<Vec<Ranked>> {
        let also = Term::truth(true);
        let leads = self.leading_out(&vertices, inner).map(Leads::Helper);
        if let Some(leads) = leads.or_else(|| self.awaited(&vertices).map(Leads::Recurs)) {
            return Some(vec![Ranked { vertices, also, leads, rank: Vec::new() }]);
        }
        if inner.is_empty() {
            return self.divided(vertices);
        }
        let down = |e: &Term| Some((positive(e), self.decreased(e, inner)?));
        let guessed = self.candidates.iter().find_map(down);
        let (rank, left) = guessed.or_else(|| down(&farkas::expression(self.graph, inner)?))?;
        let mut all = self.order(&vertices, &left)?;
        all.iter_mut().for_each(|ranked| ranked.rank.insert(0, rank.clone()));
        Some(all)
    }

    /// Something that recurs and is false at all vertices.
    fn awaited(&self, vertices: &[usize]) -> Option<usize> {
        let never = |h: &Term| {
            vertices.iter().all(|v| self.graph.implies(self.graph.at(*v), Term::negation(h.clone())))
        };
        self.again.iter().position(never)
    }

    /// Where every step leads on, one of several transitions may help, each where it is enabled.
    fn divided(&self, vertices: Vec<usize>) -> Option<Vec<Ranked>> {
        let mut left = Term::truth(true);
        let mut found = Vec::new();
        let at = Term::any(vertices.iter().map(|v| self.graph.at(*v)));
        for (n, helper) in self.helpers.iter().enumerate() {
            if self.graph.implies(Term::all([at.clone(), left.clone()]), Term::truth(false)) {
                break;
            }
            let here = Term::all([at.clone(), left.clone(), helper.enabled.clone()]);
            if self.graph.implies(here, Term::truth(false)) {
                continue;
            }
            let also = Term::all([left.clone(), helper.enabled.clone()]);
            left = Term::all([left, Term::negation(helper.enabled.clone())]);
            let (vertices, leads) = (vertices.clone(), Leads::Helper(n));
            found.push(Ranked { vertices, also, leads, rank: Vec::new() });
        }
        self.graph.implies(Term::all([at, left]), Term::truth(false)).then_some(found)
    }

    /// A fair transition that is enabled at all vertices and leads out.
    fn leading_out(&self, vertices: &[usize], inner: &[Edge]) -> Option<usize> {
        let stays = |helper: &Helper, edge: &Edge| {
            let step = &self.graph.steps[edge.step];
            step.transition == helper.transition && step.parameters == helper.parameters
        };
        let enabled = |helper: &Helper| {
            vertices.iter().all(|v| self.graph.implies(self.graph.at(*v), helper.enabled.clone()))
        };
        self.helpers.iter().position(|h| !inner.iter().any(|e| stays(h, e)) && enabled(h))
    }

    /// The edges that leave an expression as it is, if none increases it and some decreases it.
    fn decreased(&self, e: &Term, inner: &[Edge]) -> Option<Vec<Edge>> {
        let symbols = e.symbols();
        let changes = |edge: &Edge| symbols.keys().any(|name| self.graph.steps[edge.step].changes(name));
        let mut left = Vec::new();
        for edge in inner {
            if !changes(edge) {
                left.push(*edge);
                continue;
            }
            let step = &self.graph.steps[edge.step];
            let taken = Term::all([self.graph.at(edge.from), step.guard.clone()]);
            let (zero, after) = (Term::int(0), step.after(e));
            let down = Term::all([Term::lt(zero.clone(), e.clone()), Term::lt(after.clone(), e.clone())]);
            if self.graph.implies(taken.clone(), down) {
                continue;
            }
            let not_up = Term::any([Term::le(after.clone(), e.clone()), Term::le(after, zero)]);
            if !self.graph.implies(taken, not_up) {
                return None;
            }
            left.push(*edge);
        }
        (left.len() < inner.len()).then_some(left)
    }

    /// The stages, with ranks of one length.
    fn stages(&self, found: Vec<Ranked>) -> Vec<Stage> {
        let width = found.iter().map(|r| r.rank.len()).max().unwrap_or(0);
        let stage = |mut ranked: Ranked| {
            ranked.rank.resize(width, Term::int(0));
            let helpful = match ranked.leads {
                Leads::Recurs(n) => {
                    Helpful { name: RECURS.to_string(), parameters: vec![Term::int(n as i64)] }
                }
                Leads::Helper(n) => {
                    let helper = &self.helpers[n];
                    let name = self.graph.judge.fts.transitions[helper.transition].name.clone();
                    let parameters = helper.parameters.iter().cloned().map(Term::int).collect();
                    Helpful { name, parameters }
                }
            };
            let at = Term::any(ranked.vertices.iter().map(|v| self.graph.at(*v)));
            let phi = Term::all([self.graph.before.clone(), at, ranked.also]);
            Stage { phi, helpful, rank: ranked.rank }
        };
        found.into_iter().map(stage).collect()
    }
}

fn positive(e: &Term) -> Term {
    Term::ite(&Term::lt(Term::int(0), e.clone()), e, &Term::int(0))
}

/// The fair transitions, each with the values of its parameters.
fn helpers(graph: &Graph<'_>) -> Vec<Helper> {
    let mut found: Vec<Helper> = Vec::new();
    for step in &graph.steps {
        let transition = &graph.judge.fts.transitions[step.transition];
        let same = |h: &Helper| h.transition == step.transition && h.parameters == step.parameters;
        if transition.fairness == Fairness::None || found.iter().any(same) {
            continue;
        }
        let value = |s: &Symbol| {
            let at = transition.parameters.iter().position(|p| p.symbol == *s)?;
            Some(Term::int(step.parameters.get(at)?.clone()))
        };
        let enabled = transition.enabled().substitute(&value);
        found.push(Helper { transition: step.transition, parameters: step.parameters.clone(), enabled });
    }
    found
}

/// What may go down: what guards compare, then variables, their sums and differences.
fn candidates(graph: &Graph<'_>) -> Vec<Term> {
    let fts = graph.judge.fts;
    let mut found = Vec::new();
    graph.steps.iter().for_each(|step| differences(&step.guard, &mut found));
    differences(&graph.before, &mut found);
    found.extend(around(graph));
    let data = fts.variables.iter().filter(|v| v.mode != Mode::Control);
    let mut numbers: Vec<Term> = Vec::new();
    for symbol in data.map(|v| &v.symbol) {
        match &symbol.sort {
            Sort::Int => numbers.push(symbol.term()),
            Sort::Sequence(_) => numbers.push(symbol.term().length()),
            _ => {}
        }
    }
    for (at, a) in numbers.iter().enumerate() {
        found.extend([a.clone(), Term::int(0).minus(a)]);
        let pairs = numbers[at + 1..].iter();
        found.extend(pairs.flat_map(|b| [a.plus(b), a.minus(b), b.minus(a)]));
    }
    let flexible = |e: &Term| e.symbols().keys().any(|name| fts.changes(name));
    let mut kept: Vec<Term> = Vec::new();
    for e in found.into_iter().filter(flexible) {
        for e in [e.clone(), e.plus(&Term::int(1))] {
            if !kept.contains(&e) {
                kept.push(e);
            }
        }
    }
    kept.truncate(CANDIDATES);
    kept
}

/// How far a number is from another one, where it starts again from the beginning behind a bound:
/// `x = e` is what is wanted, and n is an input.
fn around(graph: &Graph<'_>) -> Vec<Term> {
    let fts = graph.judge.fts;
    let mut wanted = Vec::new();
    comparisons(&graph.before, &mut wanted);
    let rigid = |s: &Symbol| s.sort == Sort::Int && !fts.is_flexible(&s.name);
    let all = graph.steps.iter().flat_map(|step| &step.updates).flat_map(|(_, e)| e.symbols().into_values());
    let mut bounds: Vec<Term> =
        all.filter(|s| rigid(s) && fts.variable(&s.name).is_some()).map(|s| s.term()).collect();
    bounds.sort();
    bounds.dedup();
    let mut found = Vec::new();
    for atom in wanted {
        let (Op::Equal, [a, b]) = (atom.op(), atom.arguments()) else { continue };
        let flexible = |e: &Term| e.symbols().keys().any(|name| fts.is_flexible(name));
        for (x, e) in [(a, b), (b, a)] {
            if *x.sort() != Sort::Int || x.as_symbol().is_none() || !flexible(x) || flexible(e) {
                continue;
            }
            for bound in &bounds {
                let up = e.minus(x);
                let down = x.minus(e);
                found.push(Term::ite(&Term::le(x.clone(), e.clone()), &up, &up.plus(bound)));
                found.push(Term::ite(&Term::le(e.clone(), x.clone()), &down, &down.plus(bound)));
            }
        }
    }
    found
}

/// Strongly connected components: those that edges lead to come first. There are few vertices, so
/// what each reaches is simply computed.
fn components(vertices: &[usize], edges: &[Edge]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let reaches = |from: usize| -> Vec<usize> {
        let (mut seen, mut work) = (vec![from], vec![from]);
        while let Some(at) = work.pop() {
            for edge in edges.iter().filter(|e| e.from == at) {
                if !seen.contains(&edge.to) {
                    seen.push(edge.to);
                    work.push(edge.to);
                }
            }
        }
        seen
    };
    let reached: Vec<Vec<usize>> = vertices.iter().map(|v| reaches(*v)).collect();
    let place = |v: usize| vertices.iter().position(|other| *other == v);
    for (at, vertex) in vertices.iter().enumerate() {
        if found.iter().any(|component| component.contains(vertex)) {
            continue;
        }
        let mutual = |v: &&usize| place(**v).is_some_and(|p| reached[p].contains(vertex));
        let component = vertices.iter().filter(|v| reached[at].contains(v)).filter(mutual).copied();
        found.push(component.collect());
    }
    // What reaches less comes first.
    found.sort_by_key(|component| component.first().and_then(|v| place(*v)).map(|p| reached[p].len()));
    found
}
