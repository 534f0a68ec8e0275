//! A system watched by a monitor: a stepper whose states also say how far the run is from breaking a safety property.
//!
//! The monitor reads the letter of a state when the state is expanded. If then no continuation can satisfy the property, that is a
//! fault of the state, and the plain search of [`mod@crate::search`] finds the shortest run to it. Where nobody can move the
//! system rests and the monitor goes on. What else goes wrong in the system is not told.

use logic::automata::Monitor;
use system::stepper::{FaultAt, Goal, Observer, Rest, Stepper, Successors};
use system::{Fault, Step};

/// Bytes in front of a system's state for the monitor's.
const HEAD: usize = 4;

pub struct Monitored<'a, S> {
    stepper: S,
    monitor: &'a Monitor,
    successors: Successors,
    /// The first fault of the system: runs end there, and what would come after is not known.
    pub fault: Option<Fault>,
}

/// The property is broken for good.
const BROKEN: FaultAt = FaultAt { fault: Fault::Property, process: 0, template: 0, transition: 0 };

impl<'a, S: Observer> Monitored<'a, S> {
    pub fn new(stepper: S, monitor: &'a Monitor) -> Self {
        Monitored { stepper, monitor, successors: Successors::default(), fault: None }
    }

    fn note(&mut self, fault: Fault) {
        self.fault = self.fault.or(Some(fault));
    }
}

fn put(out: &mut Successors, at: usize, state: &[u8]) {
    out.bytes.extend_from_slice(&(at as u32).to_le_bytes());
    out.bytes.extend_from_slice(state);
    out.ends.push(out.bytes.len());
}

impl<S: Observer> Stepper for Monitored<'_, S> {
    fn initial(&mut self) -> Result<Vec<u8>, Fault> {
        let state = self.stepper.initial()?;
        Ok([&(self.monitor.initial as u32).to_le_bytes()[..], &state].concat())
    }

    fn expand(&mut self, state: &[u8], out: &mut Successors) -> Rest {
        let (head, inner) = state.split_at(HEAD);
        let before = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let letter = match self.stepper.observe(inner) {
            Ok(letter) => letter,
            Err(fault) => {
                self.note(fault);
                return Rest::Moves;
            }
        };
        let at = self.monitor.next(before, letter);
        if Some(at) == self.monitor.sink {
            out.faults.push(BROKEN);
            return Rest::Moves;
        }
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        let rest = self.stepper.expand(inner, &mut successors);
        successors.iter().for_each(|next| put(out, at, next));
        if let Some(fatal) = successors.faults.iter().find(|f| f.fault.is_fatal()) {
            self.note(fatal.fault);
        }
        self.successors = successors;
        if rest != Rest::Moves {
            put(out, at, inner);
        }
        Rest::Moves
    }

    fn explain(&mut self, state: &[u8], goal: Goal<'_>) -> Option<Vec<Step>> {
        match goal {
            Goal::Fault(_) => Some(Vec::new()),
            Goal::State(next) | Goal::Move(next, _) => {
                let moves = self.stepper.explain(&state[HEAD..], Goal::State(&next[HEAD..]));
                moves.or_else(|| (state[HEAD..] == next[HEAD..]).then(Vec::new))
            }
        }
    }
}
