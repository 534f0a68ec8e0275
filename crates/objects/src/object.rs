//! What every object says of itself, of models and of programs: in which ways an operation can be
//! executed, what it does, and what it touches. And the one check of that against the definition of
//! independence, by trying everything that is small.

use crate::{Footprint, Outcome, Tid, dependent};

/// An object, or all objects of a run, as a value.
pub trait Object: Clone {
    /// An operation with its input.
    type Op;

    /// What who executes an operation learns.
    type Effect;

    /// In which ways the operation can be executed now; none if it blocks.
    fn outcomes(&self, who: Tid, op: &Self::Op) -> Vec<Outcome>;

    /// Executes it, with an outcome that is possible.
    fn perform(&mut self, who: Tid, op: &Self::Op, outcome: Outcome) -> Self::Effect;

    /// What it touches then; with an outcome that is not possible, what decides about that.
    fn touches(&self, who: Tid, op: &Self::Op, outcome: Outcome) -> Footprint;
}

/// No outcome: the operation blocks.
const NONE: Outcome = -1;

/// How many pairs of operations were found independent, and dependent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs found independent in some state.
    pub independent: usize,
    /// Pairs found dependent in some state.
    pub dependent: usize,
}

/// An operation, and who executes it.
pub type By<'a, O> = (Tid, &'a <O as Object>::Op);

/// Definition 1 of the paper and 3.18 of the thesis, for two operations with these outcomes (or
/// blocked): neither changes what the other can do, and both orders end in the same state with the
/// same results. What is wrong, if they are not independent.
pub fn independent<O>(
    state: &O,
    (one, a): (By<'_, O>, Option<Outcome>),
    (other, b): (By<'_, O>, Option<Outcome>),
) -> Result<(), &'static str>
where
    O: Object + PartialEq,
    O::Effect: PartialEq,
{
    let step = |from: &O, (who, op): By<'_, O>, outcome: Outcome| {
        let mut next = from.clone();
        let effect = next.perform(who, op, outcome);
        (next, effect)
    };
    let ways = |at: &O, (who, op): By<'_, O>| at.outcomes(who, op);
    if a.is_some_and(|a| ways(&step(state, one, a).0, other) != ways(state, other)) {
        return Err("the first changes what the second can do");
    }
    if b.is_some_and(|b| ways(&step(state, other, b).0, one) != ways(state, one)) {
        return Err("the second changes what the first can do");
    }
    let (Some(a), Some(b)) = (a, b) else { return Ok(()) };
    let (after, reported) = step(state, one, a);
    let (end, answered) = step(&after, other, b);
    let (after, answer) = step(state, other, b);
    let (same_end, tell) = step(&after, one, a);
    match (reported, answered) == (tell, answer) {
        false => Err("the results differ"),
        true if end != same_end => Err("the states differ"),
        true => Ok(()),
    }
}

/// A state, two operations in it with their outcomes, and what is wrong with calling them
/// independent.
pub type Broken<'a, O> = (O, [(By<'a, O>, Option<Outcome>); 2], &'static str);

/// Holds every pair of operations of different threads, in every state that is given, against the
/// definition: those that `says` does not call dependent must be independent.
pub fn check_exhaustively<'a, O>(
    states: impl IntoIterator<Item = O>,
    threads: &[Vec<&'a O::Op>],
    mut says: impl FnMut(&O, (By<'a, O>, Outcome), (By<'a, O>, Outcome)) -> bool,
) -> Result<Counts, Box<Broken<'a, O>>>
where
    O: Object + PartialEq,
    O::Effect: PartialEq,
{
    let mut counts = Counts::default();
    let ways = |state: &O, (who, op): By<'a, O>| {
        let all = state.outcomes(who, op).into_iter().map(Some).collect::<Vec<_>>();
        if all.is_empty() { vec![None] } else { all }
    };
    for state in states {
        for (one, other) in pairs::<O>(threads) {
            for a in ways(&state, one) {
                for b in ways(&state, other) {
                    if says(&state, (one, a.unwrap_or(NONE)), (other, b.unwrap_or(NONE))) {
                        counts.dependent += 1;
                        continue;
                    }
                    counts.independent += 1;
                    if let Err(why) = independent(&state, (one, a), (other, b)) {
                        return Err(Box::new((state, [(one, a), (other, b)], why)));
                    }
                }
            }
        }
    }
    Ok(counts)
}

/// Two operations of different threads.
fn pairs<'a, O: Object>(threads: &[Vec<&'a O::Op>]) -> Vec<(By<'a, O>, By<'a, O>)> {
    let mut pairs = Vec::new();
    for (who, ops) in threads.iter().enumerate() {
        for (other, others) in threads.iter().enumerate().skip(who + 1) {
            pairs.extend(ops.iter().flat_map(|a| others.iter().map(move |b| ((who, *a), (other, *b)))));
        }
    }
    pairs
}

/// Whether two operations depend on each other by what they touch.
pub fn touch_the_same<O: Object>(
    state: &O,
    ((who, op), a): (By<'_, O>, Outcome),
    ((other, its), b): (By<'_, O>, Outcome),
) -> bool {
    dependent(&state.touches(who, op, a), &state.touches(other, its, b))
}
