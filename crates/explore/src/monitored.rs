//! A system watched by a monitor: a stepper whose states also say how far the run is from breaking
//! a safety property.
//!
//! The monitor reads the letter of a state when the state is expanded. If then no continuation can
//! satisfy the property, that is a fault of the state, and the plain search of
//! [`mod@crate::search`] finds the shortest run to it. Where no step is enabled the system idles
//! and the monitor goes on. What else goes wrong in the system is not reported.

use crate::product::ENDLESS;
use logic::automata::Monitor;
use space::{Edges, Fault, FaultAt, Label, Observer, Rest, Step, Stepper, Undefined, Which};

/// Bytes in front of a system's state for the monitor's.
const HEAD: usize = 4;

/// The system's state in one that is watched.
pub fn inner(state: &[u8]) -> &[u8] {
    &state[HEAD..]
}

/// A stepper whose states carry the state of a monitor.
pub struct Monitored<'a, S> {
    stepper: S,
    monitor: &'a Monitor,
    edges: Edges,
    /// What first ended a run for good or has no value: what would come after is not known.
    pub undefined: Option<Undefined>,
    /// An edge was left out because of a bound.
    pub cut: bool,
}

/// The property is broken for good.
const BROKEN: FaultAt =
    FaultAt { fault: Fault::Property, place: 0, label: Label(0), goes_on: false, certain: true };

impl<'a, S: Observer> Monitored<'a, S> {
    /// The product of a stepper and a monitor.
    pub fn new(stepper: S, monitor: &'a Monitor) -> Self {
        Monitored { stepper, monitor, edges: Edges::default(), undefined: None, cut: false }
    }

    fn note(&mut self, undefined: Undefined) {
        self.undefined.get_or_insert(undefined);
    }
}

fn put(out: &mut Edges, at: usize, state: &[u8], label: Label) {
    out.bytes.extend_from_slice(&(at as u32).to_le_bytes());
    out.push(state, label);
}

impl<S: Observer> Stepper for Monitored<'_, S> {
    fn initial(&mut self, out: &mut Edges) {
        self.edges.clear();
        self.stepper.initial(&mut self.edges);
        self.edges.iter().for_each(|state| put(out, self.monitor.initial, state, Label::default()));
        out.faults.extend_from_slice(&self.edges.faults);
        if let Some(undefined) = self.edges.undefined.take() {
            self.note(undefined);
        }
        self.cut |= self.edges.cut;
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let (head, inner) = state.split_at(HEAD);
        let before = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let letter = match self.stepper.observe(inner) {
            Ok(letter) => letter,
            Err(undefined) => {
                self.note(undefined);
                return Rest::Enabled;
            }
        };
        let at = self.monitor.next(before, letter);
        if Some(at) == self.monitor.sink {
            out.faults.push(BROKEN);
            return Rest::Enabled;
        }
        let mut edges = std::mem::take(&mut self.edges);
        edges.clear();
        let rest = self.stepper.expand(inner, &mut edges);
        edges.iter().zip(&edges.labels).for_each(|(next, label)| put(out, at, next, *label));
        if let Some(fatal) = edges.fatal() {
            self.note(Undefined(self.stepper.describe(fatal.fault)));
        }
        if let Some(undefined) = edges.undefined.take() {
            self.note(undefined);
        }
        if edges.endless {
            self.note(Undefined(ENDLESS.to_string()));
        }
        self.cut |= edges.cut;
        self.edges = edges;
        if rest != Rest::Enabled {
            put(out, at, inner, Label::default());
        }
        Rest::Enabled
    }

    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
        match which {
            Which::Fault(_) => Some(Vec::new()),
            Which::To { target, .. } => {
                let steps = self.stepper.explain(&state[HEAD..], Which::to(&target[HEAD..]));
                steps.or_else(|| (state[HEAD..] == target[HEAD..]).then(Vec::new))
            }
        }
    }

    fn describe(&self, fault: Fault) -> String {
        self.stepper.describe(fault)
    }
}
