//! A graph written down whole: states are numbers, each with its edges.

#![allow(dead_code, reason = "each test uses a part")]

use explore::emptiness::{Acceptance, Arrows, Graph};

/// A graph whose states are 0, 1, 2, …; in bytes, four each, the lowest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explicit {
    pub acceptance: Acceptance,
    pub initial: Vec<u32>,
    /// For each state its edges.
    pub arrows: Vec<Vec<Arrow>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrow {
    pub target: u32,
    /// The numbers of its marks.
    pub marks: Vec<usize>,
}

impl Explicit {
    /// A graph without initial states, of this many states without edges.
    pub fn new(acceptance: Acceptance, states: usize) -> Self {
        Explicit { acceptance, initial: Vec::new(), arrows: vec![Vec::new(); states] }
    }

    pub fn arrow(&mut self, source: u32, target: u32, marks: &[usize]) {
        self.arrows[source as usize].push(Arrow { target, marks: marks.to_vec() });
    }

    /// The number of a state of this graph told in bytes.
    pub fn number(state: &[u8]) -> u32 {
        state.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
    }
}

impl Graph for Explicit {
    fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    fn initial(&mut self, out: &mut Arrows) {
        for state in &self.initial {
            out.push(&state.to_le_bytes(), &vec![0; self.acceptance.words()]);
        }
    }

    fn arrows(&mut self, state: &[u8], out: &mut Arrows) {
        for arrow in &self.arrows[Explicit::number(state) as usize] {
            let mut marks = vec![0; self.acceptance.words()];
            arrow.marks.iter().for_each(|mark| marks[mark / 64] |= 1 << (mark % 64));
            out.push(&arrow.target.to_le_bytes(), &marks);
        }
    }
}
