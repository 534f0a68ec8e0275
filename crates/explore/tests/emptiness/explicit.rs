//! A graph written down whole: states are numbers, each with its edges.

#![allow(dead_code, reason = "each test uses a part")]

use explore::emptiness::{Acceptance, Graph, MarkedEdges};

/// A graph whose states are 0, 1, 2, …; in bytes, four each, the lowest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explicit {
    pub acceptance: Acceptance,
    pub initial: Vec<u32>,
    /// For each state its edges.
    pub edges: Vec<Vec<Edge>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    pub target: u32,
    /// The numbers of its marks.
    pub marks: Vec<usize>,
}

impl Explicit {
    /// A graph without initial states, of this many states without edges.
    pub fn new(acceptance: Acceptance, states: usize) -> Self {
        Explicit { acceptance, initial: Vec::new(), edges: vec![Vec::new(); states] }
    }

    pub fn edge(&mut self, source: u32, target: u32, marks: &[usize]) {
        self.edges[source as usize].push(Edge { target, marks: marks.to_vec() });
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

    fn initial(&mut self, out: &mut MarkedEdges) {
        for state in &self.initial {
            out.push(&state.to_le_bytes(), &vec![0; self.acceptance.words()]);
        }
    }

    fn edges(&mut self, state: &[u8], out: &mut MarkedEdges) {
        for edge in &self.edges[Explicit::number(state) as usize] {
            let mut marks = vec![0; self.acceptance.words()];
            edge.marks.iter().for_each(|mark| marks[mark / 64] |= 1 << (mark % 64));
            out.push(&edge.target.to_le_bytes(), &marks);
        }
    }
}
