//! Bounded model checking: is there a run of a certain length that violates a formula? (Biere,
//! Cimatti, Clarke, Zhu: *Symbolic model checking without BDDs*; for loops after Biere, Heljanko,
//! Junttila, Latvala, Schuppan: *Linear encodings of bounded LTL model checking*.)
//!
//! A run is copies of the state with a step between any two (`unroll`), beside a run of the automaton
//! of the negated formula (`product`). It violates the formula if the automaton has reached a state
//! in which it accepts whatever comes (a finite run), or if a state comes back, with the state of
//! the automaton, and the loop between is accepting and fair (a lasso). Values that are chosen among
//! infinitely many are those of the model.
//!
//! Deviation: the solver is asked anew for each length, since what holds of a shorter run is no
//! premise of the question about a longer one; ways that control excludes are left out of it. What
//! is found is not trusted: the caller replays it. Where numbers may grow a loop may end in a state
//! that is like its first one but for them; whether it can be repeated without end is for the
//! caller to find out (`repeat`).

mod product;

use crate::condition::Lemma;
use crate::discharge::{Judge, OUT_OF_TIME};
use crate::pdr::Counterexample;
use crate::pdr::steps::steps;
use crate::small;
use crate::unroll::{Execution, Unrolling};
use logic::automata::translate;
use logic::fol::{Term, Value, domain, evaluate};
use logic::ltl::{Formula, Unary};
use product::{Closes, Product};
use solve::{Answer, Assumption, Model};
use space::Path;
use system::fts::step::{In, Taken};
use system::fts::{Branch, Property, Transition};

/// What is said to violate a formula; it must be confirmed.
#[derive(Clone, Debug)]
pub enum Candidate {
    /// A finite run, or a lasso.
    Run(Counterexample),
    /// A run whose loop ends in a state that is like its first one but for numbers, and the
    /// transitions along it; perhaps it can be repeated without end.
    Growing(Counterexample, Vec<Option<Taken>>),
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// Whether a run was confirmed.
    pub confirmed: bool,
    /// No run of fewer steps was.
    pub steps: usize,
    /// Why longer ones were not looked at.
    pub reason: Option<String>,
}

/// Looks for a run of at least `from` and at most `to` steps that violates a property; what
/// `confirms` does not confirm is left aside.
pub fn search(
    judge: &Judge<'_>,
    property: &Property,
    background: &[Lemma],
    (from, to): (usize, usize),
    confirms: &mut dyn FnMut(&Candidate) -> bool,
) -> Bounded {
    let ended = |steps, reason| Bounded { confirmed: false, steps, reason };
    let nothing = |why: &str| ended(from, Some(why.to_string()));
    let Some(ways) = steps(judge.fts) else { return nothing("the number of processes is not known") };
    let (formula, atoms) = property.formula.clone().numbered();
    let automaton = match translate(&Formula::unary(Unary::Not, formula)) {
        Ok(automaton) => automaton,
        Err(why) => return nothing(&why.to_string()),
    };
    let unrolling = Unrolling::of(judge.fts, ways);
    let product = Product::new(&unrolling, automaton, atoms);
    let search = Search { judge, property, background, product };
    for steps in from..=to {
        match search.of_length(steps, confirms) {
            Ok(false) => {}
            Ok(true) => return Bounded { confirmed: true, steps, reason: None },
            Err(why) => return ended(steps, Some(why)),
        }
    }
    ended(to + 1, None)
}

struct Search<'a> {
    judge: &'a Judge<'a>,
    property: &'a Property,
    background: &'a [Lemma],
    product: Product<'a>,
}

impl Search<'_> {
    /// Whether a run of this length is confirmed, finite or with a loop; or why it is not known
    /// whether there is one.
    fn of_length(&self, steps: usize, confirms: &mut dyn FnMut(&Candidate) -> bool) -> Result<bool, String> {
        if let Some(asked) = self.product.prefix(steps)
            && let Some(model) = self.model(steps, asked)?
            && confirms(&Candidate::Run(self.run(&model, steps)?.0))
        {
            return Ok(true);
        }
        let ways =
            if self.product.unrolling.grows() { &[Closes::Alike, Closes::Same][..] } else { &[Closes::Same] };
        for closes in ways {
            let Some(asked) = self.product.lasso(steps, *closes) else { return Ok(false) };
            let Some(model) = self.model(steps, asked)? else { return Ok(false) };
            if confirms(&self.lasso(&model, steps)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The run of a model, with the transitions along it.
    fn run(&self, model: &Model, steps: usize) -> Result<(Counterexample, Vec<Option<Taken>>), String> {
        let copies: Vec<usize> = (0..=steps).collect();
        let unrolling = self.product.unrolling;
        let no_values = || "a run that breaks it has no values to show".to_string();
        let Execution { given, states, ways } = unrolling.execution(model, &copies).ok_or_else(no_values)?;
        let taken = |way: usize| {
            let step = &unrolling.ways[way];
            Taken { transition: step.transition, parameters: step.parameters.clone() }
        };
        let taken: Vec<Option<Taken>> = ways.into_iter().map(|way| way.map(taken)).collect();
        let last = taken.last().cloned().flatten().map(|taken| taken.transition);
        Ok((self.with_choices(Counterexample { given, path: Path::to(states), last }), taken))
    }

    /// The lasso of a model: its last state is the one in which the loop begins, or like it.
    fn lasso(&self, model: &Model, steps: usize) -> Result<Candidate, String> {
        let (mut run, taken) = self.run(model, steps)?;
        let start = self.product.loop_start(model, steps).unwrap_or(0);
        let closes = run.path.states.last() == run.path.states.get(start);
        run.path.states.pop();
        run.path.loop_start = Some(start);
        Ok(if closes { Candidate::Run(run) } else { Candidate::Growing(run, taken) })
    }

    /// A model of what is asked of the copies, with all that is known of each.
    fn model(&self, steps: usize, asked: Vec<Term>) -> Result<Option<Box<Model>>, String> {
        if self.judge.is_over() {
            return Err(OUT_OF_TIME.to_string());
        }
        let fts = self.judge.fts;
        let known = self.background.iter().map(|l| &l.formula);
        let everywhere =
            (0..=steps).flat_map(|n| known.clone().map(move |e| self.product.unrolling.at(e, n)));
        let once = fts.assumptions.iter().chain([&fts.initial, &self.property.given]).cloned();
        let all = once.chain(everywhere).chain(asked).flat_map(|e| e.conjuncts());
        let all: Vec<Assumption> = all.map(|e| Assumption::new("", e)).collect();
        match self.judge.solver.check(&all, &Term::truth(false), self.judge.options) {
            Answer::Invalid { model } => Ok(Some(model)),
            Answer::Valid { .. } => Ok(None),
            Answer::Unknown { reason } => Err(reason),
        }
    }

    /// The run with a value for each choice among infinitely many that could be made on it: who
    /// replays it has to know that these transitions are possible.
    fn with_choices(&self, mut run: Counterexample) -> Counterexample {
        for symbol in &self.property.rigid {
            run.given.entry(symbol.name.clone()).or_insert_with(|| Value::default_of(&symbol.sort));
        }
        let infinite = |b: &Branch| b.chosen.iter().any(|s| domain(&s.sort, None).is_none());
        let mut found = Vec::new();
        for transition in &self.judge.fts.transitions {
            for branch in transition.branches.iter().filter(|b| infinite(b)) {
                found.extend(run.path.states.iter().flat_map(|state| {
                    let within = In { fts: self.judge.fts, given: &run.given, state, extra: Vec::new() };
                    self.choice(transition, branch, &within)
                }));
            }
        }
        small::add_choices(&mut run.given, found);
        run
    }

    /// Values that a branch may choose in a state.
    fn choice(&self, transition: &Transition, branch: &Branch, within: &In<'_>) -> Vec<Value> {
        let mut possible = vec![transition.bounds(), branch.guard.clone(), branch.choice.clone()];
        for symbol in possible.iter().flat_map(|e| e.symbols().into_values()).collect::<Vec<_>>() {
            let bound =
                branch.chosen.contains(&symbol) || transition.parameters.iter().any(|p| p.symbol == symbol);
            if let (false, Some(value)) = (bound, evaluate(&symbol.term(), within)) {
                possible.push(Term::eq(symbol.term(), value.term()));
            }
        }
        let all: Vec<Assumption> = possible.into_iter().map(|e| Assumption::new("", e)).collect();
        match self.judge.solver.check(&all, &Term::truth(false), self.judge.options) {
            Answer::Invalid { model } => branch.chosen.iter().map(|s| model.constant(s)).collect(),
            _ => Vec::new(),
        }
    }
}
