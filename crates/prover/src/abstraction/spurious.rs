//! A run of the abstraction, held against the program: what it teaches.
//!
//! The steps of the abstract run are taken in the program, symbolically: values are terms over the
//! first state. If that is impossible, weakest preconditions of the step that fails become
//! assertions (Clarke, Grumberg, Jha, Lu and Veith, *Counterexample-guided abstraction
//! refinement*); of the parts of the run only those from where on it fails. A loop that can be
//! gone, but perhaps not endlessly, may make a number smaller, and that number is to be watched. A
//! loop that comes back to its state is a run of the program.

use super::Abstracted;
use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use crate::pdr::Counterexample;
use logic::fol::{Symbol, Term, Value, evaluate, holds};
use solve::{Answer, Model};
use space::Path;
use std::collections::BTreeMap;
use std::sync::Arc;
use system::fts::Branch;
use system::fts::step::{In, State, Valuation};

/// Runs of branches that one abstract run may stand for.
const WAYS: usize = 8;
/// Preconditions with more operators and symbols than this are not followed.
const LARGE: usize = 2_000;

/// A run of an abstraction that breaks a property.
pub struct Spurious<'a> {
    /// Asks about the program.
    pub judge: &'a Judge<'a>,
    /// What is known of its states.
    pub background: &'a [Lemma],
    /// The abstraction.
    pub made: &'a Abstracted,
    /// The run, as states of the abstraction.
    pub path: &'a Path<State>,
}

/// What a run of an abstraction teaches.
#[derive(Clone, Debug)]
pub enum Lesson {
    /// The run is one of the program, as far as its steps tell.
    Run(Counterexample),
    /// Assertions that tell why it is not.
    Assertions(Vec<Term>),
    /// A number that its loop makes smaller.
    Watch(Term),
}

/// The steps of a run as branches of the program; none where it idles. Chosen values have names of
/// their own.
#[derive(Clone)]
struct Way {
    steps: Vec<Option<Branch>>,
    /// What holds before each step and at the end.
    places: Vec<Term>,
    loop_start: Option<usize>,
}

/// The values of variables as terms over the first state.
type Values = BTreeMap<Arc<str>, Term>;

impl Spurious<'_> {
    /// What the run teaches, one lesson after the other, the simplest first; `candidates` are
    /// numbers to be watched.
    pub fn lessons<'s>(&'s self, candidates: &'s [Term]) -> impl Iterator<Item = Lesson> + 's {
        let once = self.ways(1).into_iter().flat_map(move |way| match self.failing(&way) {
            Some(assertions) => vec![Lesson::Assertions(assertions)],
            None => {
                // Perhaps what came before the loop ended is enough.
                let start = Way { loop_start: None, ..way.clone() };
                let start = way.loop_start.and_then(|_| self.run(&start));
                let run = self.run(&way).into_iter().chain(start).map(Lesson::Run);
                run.chain(self.falling(&way, candidates).map(Lesson::Watch)).collect()
            }
        });
        let last = if self.path.loop_start.is_some() { 3 } else { 1 };
        let rounds = 2..=last;
        let again = rounds.flat_map(|rounds| self.ways(rounds));
        once.chain(again.filter_map(|way| self.failing(&way)).map(Lesson::Assertions))
    }

    /// The ways in which the program may go along the run, round its loop several times.
    fn ways(&self, rounds: usize) -> Vec<Way> {
        let states = &self.path.states;
        let mut order: Vec<usize> = (0..states.len()).collect();
        if let Some(start) = self.path.loop_start {
            (1..rounds).for_each(|_| order.extend(start..states.len()));
            order.push(start);
        }
        let places: Vec<Term> = order.iter().map(|at| self.place(&states[*at])).collect();
        let mut all: Vec<Vec<Option<Branch>>> = vec![Vec::new()];
        for (number, pair) in order.windows(2).enumerate() {
            let next = self.branches(&states[pair[0]], &states[pair[1]], number);
            all = all
                .iter()
                .flat_map(|way| next.iter().map(|b| [&way[..], std::slice::from_ref(b)].concat()))
                .take(WAYS)
                .collect();
        }
        let loop_start = self.path.loop_start;
        all.into_iter().map(|steps| Way { steps, places: places.clone(), loop_start }).collect()
    }

    /// The branches of the program whose abstraction leads from one state to another; idling only
    /// where there is none.
    fn branches(&self, from: &State, to: &State, number: usize) -> Vec<Option<Branch>> {
        let (of, given) = (&self.made.fts, Valuation::new());
        let here = In { fts: of, given: &given, state: from, extra: Vec::new() };
        let leads = |b: &Branch| {
            holds(&b.guard, &here) == Some(true)
                && of.variables.iter().zip(from.iter().zip(to)).all(|(v, (old, new))| {
                    match b.updates.iter().find(|(s, _)| *s == v.symbol) {
                        Some((_, e)) => evaluate(e, &here).as_ref() == Some(new),
                        None => old == new,
                    }
                })
        };
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (t, origins) in self.made.origins.iter().enumerate() {
            let branches = of.transitions[t].branches.iter().zip(origins);
            found.extend(branches.filter(|(b, _)| leads(b)).map(|(_, origin)| (t, *origin)));
        }
        found.dedup();
        if found.is_empty() {
            return vec![None];
        }
        let own = |(t, b): (usize, usize)| Some(apart(&self.judge.fts.transitions[t].branches[b], number));
        found.into_iter().map(own).collect()
    }

    /// What an abstract state says of the concrete one.
    fn place(&self, state: &State) -> Term {
        let value = |(name, e): &(Symbol, Term)| {
            let at = self.made.fts.variables.iter().position(|v| v.symbol == *name)?;
            Some(match state.get(at)?.as_bool() {
                Some(true) => e.clone(),
                Some(false) => Term::negation(e.clone()),
                None => Term::eq(e.clone(), state[at].term()),
            })
        };
        Term::all(self.made.relation.iter().filter_map(value).collect::<Vec<_>>())
    }

    fn impossible(&self, all: Vec<Term>) -> Answer {
        let none = Condition::implication("", Term::all(all), Term::truth(false), self.background);
        // Chosen values have names that no transition knows.
        self.judge.answer(&none)
    }

    /// What must hold so that the steps `from..to` can be taken, over the state before; with the
    /// values after them.
    fn taken(&self, way: &Way, from: usize, to: usize, places: bool) -> (Vec<Term>, Values) {
        let (mut all, mut values) = (Vec::new(), Values::new());
        for at in from..to {
            let here = |e: &Term| e.substitute(&|s| values.get(&s.name).cloned());
            if places {
                all.push(here(&way.places[at]));
            }
            let Some(branch) = &way.steps[at] else { continue };
            all.extend([here(&branch.guard), here(&branch.choice)]);
            let new: Vec<_> = branch.updates.iter().map(|(s, e)| (s.name.clone(), here(e))).collect();
            values.extend(new);
        }
        (all, values)
    }

    /// The assertions that tell why a way cannot be gone; `None` if perhaps it can.
    fn failing(&self, way: &Way) -> Option<Vec<Term>> {
        let end = way.steps.len();
        let up_to = |from: Option<usize>, to: usize| {
            let (mut all, values) = self.taken(way, from.unwrap_or(0), to, true);
            all.push(way.places[to].substitute(&|s| values.get(&s.name).cloned()));
            if from.is_none() {
                all.push(self.judge.fts.initial.clone());
            }
            self.impossible(all).is_valid()
        };
        if !up_to(None, end) {
            return None;
        }
        let to = (1..=end).find(|to| up_to(None, *to))?;
        let from = (0..to).rev().find(|from| up_to(Some(*from), to));
        Some(self.reasons(way, from, to))
    }

    /// The weakest preconditions of what is wrong at `to`, as few of them as will do.
    fn reasons(&self, way: &Way, from: Option<usize>, to: usize) -> Vec<Term> {
        let start = from.unwrap_or(0);
        let first = match from {
            Some(at) => way.places[at].clone(),
            None => self.judge.fts.initial.clone(),
        };
        let (steps, values) = self.taken(way, start, to, false);
        let wrong = |e: &Term| {
            let mut all = vec![first.clone(), e.substitute(&|s| values.get(&s.name).cloned())];
            all.extend(steps.iter().cloned());
            self.impossible(all).is_valid()
        };
        let nothing = Term::truth(true);
        let single = std::iter::once(nothing).chain(way.places[to].conjuncts());
        let enough = single.chain([way.places[to].clone()]).find(wrong);
        let between = enough.is_none();
        let mut goal = enough.unwrap_or_else(|| way.places[to].clone());
        let mut all = Vec::new();
        for at in (start..to).rev() {
            if let Some(branch) = &way.steps[at] {
                goal = Term::all([branch.guard.clone(), branch.choice.clone(), branch.after(&goal)]);
            }
            if between {
                goal = Term::all([goal, way.places[at].clone()]);
            }
            // At the beginning it is known already, unless that is the first state of all.
            if (at > start || from.is_none()) && goal.size() <= LARGE {
                all.push(solve::simplify(&goal));
            }
        }
        all
    }

    /// A number that no step of the loop makes larger, and some step smaller.
    fn falling(&self, way: &Way, candidates: &[Term]) -> Option<Term> {
        let start = way.loop_start?;
        let known = |at: usize, goal: Term| {
            let mut given = vec![way.places[at].clone()];
            given.extend(way.steps[at].iter().flat_map(|b| [b.guard.clone(), b.choice.clone()]));
            let condition = Condition::implication("", Term::all(given), goal, self.background);
            self.judge.is_valid(&condition)
        };
        let falls = |e: &&Term| {
            let mut down = false;
            for at in start..way.steps.len() {
                let Some(branch) = &way.steps[at] else { continue };
                let after = branch.after(e);
                if after == **e {
                    continue;
                }
                let less = [Term::le(Term::int(0), (*e).clone()), Term::lt(after.clone(), (*e).clone())];
                if known(at, Term::all(less)) {
                    down = true;
                } else if !known(at, Term::le(after, (*e).clone())) {
                    return false;
                }
            }
            down
        };
        let watched = |e: &&Term| self.made.watched.iter().any(|w| w.rank == **e);
        candidates.iter().filter(|e| !watched(e)).find(falls).cloned()
    }

    /// A run of the program along the way whose loop comes back to its state.
    fn run(&self, way: &Way) -> Option<Counterexample> {
        let end = way.steps.len();
        let (mut all, last) = self.taken(way, 0, end, true);
        all.push(self.judge.fts.initial.clone());
        if let Some(start) = way.loop_start {
            let (_, first) = self.taken(way, 0, start, false);
            for symbol in self.judge.fts.variables.iter().map(|v| &v.symbol) {
                let value = |values: &Values| values.get(&symbol.name).cloned();
                let (a, b) = (value(&first), value(&last));
                all.push(Term::eq(a.unwrap_or_else(|| symbol.term()), b.unwrap_or_else(|| symbol.term())));
            }
        }
        match self.impossible(all) {
            Answer::Invalid { model } => self.shown(way, &model),
            _ => None,
        }
    }

    fn shown(&self, way: &Way, model: &Model) -> Option<Counterexample> {
        let fts = self.judge.fts;
        let given = model.constants.iter().filter(|(s, _)| fts.variable(&s.name).is_none());
        let mut given: Valuation = given.map(|(s, v)| (s.name.clone(), v.clone())).collect();
        for rigid in fts.rigid.iter().filter(|r| r.arguments.is_empty()) {
            given.entry(rigid.name.clone()).or_insert_with(|| Value::default_of(&rigid.result));
        }
        // A loop ends with the step back to its first state.
        let steps = way.steps.len() - usize::from(way.loop_start.is_some());
        let mut states: Vec<State> = Vec::new();
        for at in 0..=steps {
            let (_, values) = self.taken(way, 0, at, false);
            let value = |s: &Symbol| {
                values.get(&s.name).map_or_else(|| Some(model.constant(s)), |e| evaluate(e, model))
            };
            states.push(fts.variables.iter().map(|v| value(&v.symbol)).collect::<Option<_>>()?);
        }
        Some(Counterexample { given, path: Path { states, loop_start: way.loop_start }, last: None })
    }
}

/// A branch whose chosen values have names of their own.
fn apart(branch: &Branch, number: usize) -> Branch {
    let own = |s: &Symbol| Symbol::constant(format!("{}!{number}", s.name), s.sort.clone());
    let renamed =
        branch.map(|e| e.substitute(&|s| branch.chosen.iter().find(|c| *c == s).map(|c| own(c).term())));
    Branch { chosen: branch.chosen.iter().map(own).collect(), ..renamed }
}
