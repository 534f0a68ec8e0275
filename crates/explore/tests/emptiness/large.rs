//! Large graphs made on the fly: deep ones overflow no stack, counts are exact.

use explore::emptiness::{Acceptance, Graph, MarkedEdges, emptiness};
use explore::{Limits, NoListener};

/// States 0 to `size`, one after the other; the last leads back to the first.
struct Ring {
    acceptance: Acceptance,
    size: u32,
}

impl Graph for Ring {
    fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    fn initial(&mut self, out: &mut MarkedEdges) {
        out.push(&0u32.to_le_bytes(), &[0]);
    }

    fn edges(&mut self, state: &[u8], out: &mut MarkedEdges) {
        let next = (u32::from_le_bytes(state.try_into().unwrap()) + 1) % self.size;
        out.push(&next.to_le_bytes(), &[u64::from(next == self.size / 2)]);
    }
}

#[test]
fn a_ring_of_half_a_million_states_is_one_cycle() {
    let size = 500_000;
    let acceptance = Acceptance { marks: 2, recurrent: vec![0], pairs: Vec::new() };
    let mut ring = Ring { acceptance, size };
    let outcome = emptiness(&mut ring, Limits::default(), &mut NoListener);
    assert_eq!((outcome.states, outcome.transitions), (500_000, 500_000));
    assert_eq!(outcome.lasso.unwrap().cycle.len(), 500_000);
    ring.acceptance.recurrent = vec![1];
    let outcome = emptiness(&mut ring, Limits::default(), &mut NoListener);
    assert_eq!((outcome.states, outcome.depth, outcome.lasso), (500_000, 499_999, None));
}
