//! Where the automata of a formula stand along a run: that of the formula, and that of what it
//! forbids.
//!
//! An automaton reads the letter of a state and then moves, so its states are shown before they
//! read. Where an observer does not look, inside atomic sequences, it waits. Of a run that closes
//! to a loop, or rests where it ends, it is known whether it is accepted. If so, the states are
//! shown from which the automaton goes on to accept, and as soon as it can repeat itself, those in
//! which it does. What a run that is still open will do is not known, so all states are shown that
//! the automaton may be in.

use crate::executor::RunStatus;
use crate::failure::Failure;
use crate::ltl::{Picture, picture, text};
use crate::report::Ending;
use crate::simulate::Session;
use logic::Components;
use logic::automata::{Automaton, translate};
use logic::ltl::Formula;
use logic::ltl::syntax::Syntax;
use std::collections::BTreeSet;
use system::Meaning;

/// What a formula says, and what holds in each state of a run.
#[derive(Clone, Debug)]
pub struct Word {
    /// Its propositions, as they are written.
    pub propositions: Vec<String>,
    /// What it says of them.
    pub meaning: Meaning,
    /// The propositions that hold in each state, as bits; `None` where no observer looks.
    pub letters: Vec<Option<u64>>,
}

/// A formula along a run.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The formula.
    pub formula: String,
    /// Its propositions, and which hold in each state.
    pub word: Word,
    /// Its automata.
    pub sides: Vec<Side>,
}

/// An automaton along a run.
#[derive(Clone, Debug)]
pub struct Side {
    /// What it accepts: `formula`, or `negation`.
    pub of: &'static str,
    /// The automaton, or why there is none.
    pub automaton: Result<Picture, String>,
    /// Whether it accepts the run, if the run is infinite.
    pub accepts: Option<bool>,
    /// In which states it may be in each state of the run.
    pub at: Vec<Vec<usize>>,
    /// Which edges it may take there, by their numbers, state by state.
    pub taken: Vec<Vec<usize>>,
}

impl Session<'_> {
    /// A formula of the file along the run so far, which closes to a loop where `loop_start` says
    /// so and it does; `None` if what runs has no such formula.
    pub fn observed(&self, name: &str, loop_start: Option<usize>) -> Result<Option<Observed>, Failure> {
        let Some(word) = self.word(name)? else { return Ok(None) };
        let closes = loop_start.filter(|loop_start| self.shows(Ending::Lasso { loop_start: *loop_start }));
        let ends = matches!(self.status(), RunStatus::Terminated | RunStatus::Deadlock);
        Ok(Some(along(word, closes.or(ends.then_some(self.steps())))))
    }
}

fn along(word: Word, loop_start: Option<usize>) -> Observed {
    let names = &word.propositions;
    let formula = match &word.meaning {
        Meaning::Always(formula) => text(formula, Syntax::Spin, names).or(text(formula, Syntax::Step, names)),
        Meaning::Never(_) => None,
    };
    let read = Letters::of(&word.letters, loop_start);
    let side = |of, automaton| read.side(of, automaton, names);
    let made = |formula: &Formula<usize>| translate(formula).map_err(|why| why.to_string());
    let sides = match &word.meaning {
        Meaning::Always(formula) => {
            let negation = Formula::negation(formula.clone());
            vec![side("negation", made(&negation)), side("formula", made(formula))]
        }
        Meaning::Never(automaton) => vec![side("negation", Ok(automaton.clone()))],
    };
    Observed { formula: formula.unwrap_or_default(), sides, word }
}

/// The letters that are read, and how they belong to the states of the run.
struct Letters {
    letters: Vec<u64>,
    /// The letter with which the loop begins.
    cycle: Option<usize>,
    /// Of each state: the letter that is read next, and whether it is its own.
    next: Vec<(usize, bool)>,
}

impl Letters {
    fn of(all: &[Option<u64>], loop_start: Option<usize>) -> Letters {
        let last = all.len().saturating_sub(1);
        // The last state of a loop is its first one again; it is read as such.
        let closes = loop_start.filter(|start| *start < last);
        let read = if closes.is_some() { last } else { all.len() };
        let mut letters: Vec<u64> = Vec::new();
        let mut next: Vec<(usize, bool)> = Vec::new();
        for letter in &all[..read] {
            next.push((letters.len(), letter.is_some()));
            letters.extend(letter);
        }
        let cycle = loop_start.and_then(|start| next.get(start)).map(|(at, _)| *at);
        let cycle = cycle.filter(|at| *at < letters.len());
        let own = closes.and_then(|start| next.get(start)).map(|(_, own)| (letters.len(), *own));
        next.extend(own);
        Letters { letters, cycle, next }
    }

    fn side(&self, of: &'static str, automaton: Result<Automaton, String>, names: &[String]) -> Side {
        let none = |why| Side { of, automaton: Err(why), accepts: None, at: Vec::new(), taken: Vec::new() };
        let automaton = match automaton {
            Ok(automaton) => automaton,
            Err(why) => return none(why),
        };
        let going = self.cycle.map(|cycle| Going::of(&self.letters, cycle, &automaton));
        let accepts = going.as_ref().map(|going| going.alive[automaton.initial]);
        let states = self.states(&automaton, going.as_ref().filter(|_| accepts == Some(true)));
        let numbers = numbers(&automaton);
        let taken = |(at, own): &(usize, bool)| -> Vec<usize> {
            // Behind the last letter the loop begins again.
            let again = if *at == self.letters.len() { self.cycle } else { Some(*at) };
            let letter = again.and_then(|at| self.letters.get(at)).filter(|_| *own);
            let Some(letter) = letter else { return Vec::new() };
            let of = |state: &usize| {
                let edges = automaton.states[*state].iter().zip(numbers[*state]..);
                let taken = edges.filter(|(e, _)| e.label.holds(*letter) && states[*at + 1].contains(&e.to));
                taken.map(|(_, number)| number).collect::<Vec<_>>()
            };
            states[*at].iter().flat_map(of).collect()
        };
        Side {
            of,
            accepts,
            at: self.next.iter().map(|(at, _)| states[*at].iter().copied().collect()).collect(),
            taken: self.next.iter().map(taken).collect(),
            automaton: Ok(picture(&automaton, names)),
        }
    }

    /// The states that the automaton may be in before each letter, and behind the last one, and
    /// once more if the loop begins again then; those that lead to acceptance, if these are known.
    fn states(&self, automaton: &Automaton, going: Option<&Going>) -> Vec<BTreeSet<usize>> {
        let mut all = vec![BTreeSet::from([automaton.initial])];
        let again = self.cycle.map(|cycle| (cycle, &self.letters[cycle]));
        for (k, (at, letter)) in self.letters.iter().enumerate().chain(again).enumerate() {
            let edges = all[k].iter().flat_map(|state| &automaton.states[*state]);
            let to = edges.filter(|e| e.label.holds(*letter)).map(|e| e.to);
            let next: BTreeSet<usize> = match going {
                None => to.collect(),
                Some(going) => going.best(at, to.collect()),
            };
            all.push(next);
        }
        all
    }
}

/// How an automaton goes on along a run that closes: by letter, then by state.
struct Going {
    states: usize,
    /// The letter behind each.
    next: Vec<usize>,
    /// Whether it accepts from there.
    alive: Vec<bool>,
    /// Whether it comes there again and again while it accepts.
    recurs: Vec<bool>,
}

impl Going {
    fn of(letters: &[u64], cycle: usize, automaton: &Automaton) -> Going {
        let (states, count) = (automaton.states.len(), letters.len());
        let next: Vec<usize> = (0..count).map(|k| if k + 1 == count { cycle } else { k + 1 }).collect();
        let edges: Vec<Vec<(usize, u64)>> = (0..count * states)
            .map(|node| {
                let (k, state) = (node / states, node % states);
                let edges = automaton.states[state].iter().filter(|e| e.label.holds(letters[k]));
                edges.map(|e| (next[k] * states + e.to, e.sets)).collect()
            })
            .collect();
        let Components { of, members } =
            Components::new(edges.len(), |node, edge| edges[node].get(edge).map(|(to, _)| *to));
        let (mut alive, mut recurs) = (vec![false; edges.len()], vec![false; edges.len()]);
        let all = (0..automaton.sets).fold(0u64, |all, set| all | 1 << set);
        // Edges lead to components that come earlier.
        for (number, own) in members.iter().enumerate() {
            let out = || own.iter().flat_map(|node| &edges[*node]);
            let mut inner = out().filter(|(to, _)| of[*to] == number).peekable();
            let repeats = inner.peek().is_some();
            let accepts = repeats && inner.fold(0, |sets, (_, own)| sets | own) == all;
            let goes_on = accepts || out().any(|(to, _)| alive[*to]);
            own.iter().for_each(|node| (alive[*node], recurs[*node]) = (goes_on, accepts));
        }
        Going { states, next, alive, recurs }
    }

    /// Those of the states behind a letter in which the automaton may repeat itself, or else those
    /// from which it accepts.
    fn best(&self, letter: usize, all: BTreeSet<usize>) -> BTreeSet<usize> {
        let node = |state: &usize| self.next[letter] * self.states + state;
        let recurrent: BTreeSet<usize> = all.iter().copied().filter(|s| self.recurs[node(s)]).collect();
        if recurrent.is_empty() {
            all.into_iter().filter(|s| self.alive[node(s)]).collect()
        } else {
            recurrent
        }
    }
}

/// The number of the first edge of each state.
fn numbers(automaton: &Automaton) -> Vec<usize> {
    let counts = automaton.states.iter().scan(0, |sum, edges| {
        let first = *sum;
        *sum += edges.len();
        Some(first)
    });
    counts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::ltl::Unary;

    /// That p holds again and again: `p` is proposition 0.
    fn recurs() -> Meaning {
        let p = Formula::Atom(0);
        Meaning::Always(Formula::unary(Unary::Always, Formula::unary(Unary::Eventually, p)))
    }

    fn observed(letters: &[Option<u64>], loop_start: Option<usize>) -> Observed {
        let word = Word { propositions: vec!["p".into()], meaning: recurs(), letters: letters.to_vec() };
        along(word, loop_start)
    }

    #[test]
    fn the_negation_accepts_a_run_that_violates() {
        let found = observed(&[Some(1), Some(0), Some(0)], Some(1));
        assert_eq!(found.formula, "[] <> p");
        let [negation, formula] = &found.sides[..] else { panic!() };
        assert_eq!((negation.of, negation.accepts, formula.accepts), ("negation", Some(true), Some(false)));
        assert_eq!((negation.at.len(), negation.taken.len()), (3, 3));
        assert!(negation.at.iter().all(|states| !states.is_empty()), "{:?}", negation.at);
        assert_eq!((negation.at[2].len(), negation.taken[2].len()), (1, 1), "it repeats itself");
    }

    #[test]
    fn where_nobody_looks_the_automaton_waits() {
        let found = observed(&[Some(0), None, None, Some(1)], None);
        let side = &found.sides[0];
        assert_eq!(side.accepts, None);
        assert_eq!((&side.at[1], &side.at[2]), (&side.at[3], &side.at[3]));
        assert!(side.taken[1].is_empty() && !side.taken[0].is_empty());
    }

    #[test]
    fn a_run_that_rests_repeats_its_last_letter() {
        let found = observed(&[Some(0), Some(1)], Some(1));
        assert_eq!(found.sides.iter().map(|s| s.accepts).collect::<Vec<_>>(), [Some(false), Some(true)]);
        let none = observed(&[Some(0), None, None], Some(1));
        assert_eq!(none.sides[0].accepts, None, "nothing is read in the loop");
    }
}
