//! Bounded model checking: is there a run of a certain length that violates a formula? (Biere,
//! Cimatti, Clarke, Zhu: *Symbolic model checking without BDDs*; for loops after Biere, Heljanko,
//! Junttila, Latvala, Schuppan: *Linear encodings of bounded LTL model checking*.)
//!
//! A run is copies of the state with a step between any two (`unroll`), beside a run of the
//! automaton of the negated formula (`product`). It violates the formula if the automaton has
//! reached a state in which it accepts whatever comes (a finite run), or if a state comes back,
//! with the state of the automaton, and the loop between is accepting and fair (a lasso). Values
//! that are chosen among infinitely many are those of the model.
//!
//! Deviation: the solver is asked anew for each length, since what holds of a shorter run is no
//! premise of the question about a longer one; ways that control excludes are left out of it. What
//! is found is not trusted: the caller replays it.

mod product;

use crate::condition::Lemma;
use crate::discharge::{Judge, OUT_OF_TIME};
use crate::pdr::Counterexample;
use crate::pdr::steps::steps;
use crate::small;
use crate::unroll::Unrolling;
use logic::automata::translate;
use logic::fol::{Term, Value, domain, evaluate};
use logic::ltl::{Formula, Unary};
use product::Product;
use solve::{Answer, Assumption, Model};
use system::fts::step::In;
use system::fts::{Branch, Property, Transition};

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// A run that is said to violate the formula; it must be replayed.
    pub run: Option<Counterexample>,
    /// No run of fewer steps violates it.
    pub steps: usize,
    /// Why longer ones were not looked at.
    pub reason: Option<String>,
}

/// Looks for a run of at least `from` and at most `to` steps that violates a property.
pub fn search(
    judge: &Judge<'_>,
    property: &Property,
    background: &[Lemma],
    (from, to): (usize, usize),
) -> Bounded {
    let nothing = |why: &str| Bounded { run: None, steps: from, reason: Some(why.to_string()) };
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
        match search.of_length(steps) {
            Ok(None) => {}
            Ok(run) => return Bounded { run, steps, reason: None },
            Err(why) => return Bounded { run: None, steps, reason: Some(why) },
        }
    }
    Bounded { run: None, steps: to + 1, reason: None }
}

struct Search<'a> {
    judge: &'a Judge<'a>,
    property: &'a Property,
    background: &'a [Lemma],
    product: Product<'a>,
}

impl Search<'_> {
    /// A run of this length, finite or with a loop; or why it is not known whether there is one.
    fn of_length(&self, steps: usize) -> Result<Option<Counterexample>, String> {
        let copies: Vec<usize> = (0..=steps).collect();
        if let Some(asked) = self.product.prefix(steps)
            && let Some(model) = self.model(steps, asked)?
        {
            let run = self.product.unrolling.run(&model, &copies).ok_or_else(no_values)?;
            return Ok(Some(self.with_choices(run)));
        }
        if let Some(asked) = self.product.lasso(steps)
            && let Some(model) = self.model(steps, asked)?
        {
            let mut run = self.product.unrolling.run(&model, &copies).ok_or_else(no_values)?;
            let start = self.product.loop_start(&model, steps).ok_or_else(no_values)?;
            // The last copy is the state in which the loop begins.
            run.path.states.pop();
            run.path.loop_start = Some(start);
            return Ok(Some(self.with_choices(run)));
        }
        Ok(None)
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

fn no_values() -> String {
    "a run that breaks it has no values to show".to_string()
}
