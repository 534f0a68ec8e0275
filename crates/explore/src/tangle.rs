//! A random graph to search in tests: large and small levels, and all that can be wrong.

use crate::store::hash;
use space::{Edges, Fault, FaultAt, Label, Rest, Step, Stepper, Which};

/// A random graph: numbers that lead to numbers, some of which are wrong.
#[derive(Clone)]
pub(crate) struct Tangle {
    pub size: u64,
    /// One of as many states is a deadlock, fails an assertion, has an error.
    pub wrong: u64,
}

fn scramble(n: u64) -> u64 {
    hash(&n.to_le_bytes())
}

impl Stepper for Tangle {
    fn initial(&mut self, out: &mut Edges) {
        [1u64, 2, 1].iter().for_each(|n| out.push(&n.to_le_bytes(), Label(0)));
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let n = state.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        let random = scramble(n);
        if random % self.wrong == 1 {
            return Rest::Deadlock;
        }
        for k in 0..2 + random % 4 {
            // Near ones and far ones, so that there are many levels and large ones.
            let to = if k < 2 { 2 * n + k } else { scramble(random + k) };
            out.push(&(to % self.size).to_le_bytes(), Label(k));
        }
        let fault = [Fault::Assertion, Fault::Runtime(3)][(random >> 40) as usize % 2];
        if random % self.wrong == 2 {
            let place = random >> 50 & 3;
            out.faults.push(FaultAt { fault, place, label: Label(9), goes_on: true, certain: true });
        }
        Rest::Enabled
    }

    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
        let read = |state: &[u8]| state.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte));
        let path = match which {
            Which::To { target, .. } => vec![read(state), read(target)],
            Which::Fault(_) => vec![read(state)],
        };
        Some(vec![Step { actor: 0, path, partner: None }])
    }

    fn describe(&self, _: Fault) -> String {
        String::new()
    }
}
