//! The edges out of one state, packed one behind the other.

use crate::stepper::Undefined;

/// A number of the stepper's own: equal labels, equal transition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u64);

/// What is wrong with a state, or with an edge out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// An assertion fails.
    Assertion,
    /// An error of execution; the stepper knows its text.
    Runtime(u16),
    /// A step that is an error by itself; the number is the stepper's own.
    Error(u32),
    /// An invariant that does not hold, by its number among those asked for.
    Invariant(u32),
    /// However the run goes on, the property is broken.
    Property,
}

/// A fault and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaultAt {
    /// What is wrong.
    pub fault: Fault,
    /// A place of the description: one transition may reach several assertions.
    pub place: u64,
    /// How the step began.
    pub label: Label,
    /// The edge exists besides.
    pub goes_on: bool,
    /// It is there, and not only possible as far as an abstract state tells.
    pub certain: bool,
}

/// The edges out of a state, always the same in the same order.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// The targets, one behind the other.
    pub bytes: Vec<u8>,
    /// Where each target ends in `bytes`.
    pub ends: Vec<usize>,
    /// How the step of each edge began.
    pub labels: Vec<Label>,
    /// Whether `asks` and `meets` are wanted.
    pub wants_fairness: bool,
    /// How many words a row of requirements takes.
    pub words: usize,
    /// The requirements that the state asks for: one row. If they are asked for by edge, a row for
    /// each edge and one for idling.
    pub asks: Vec<u64>,
    /// Whether requirements are asked for by edge.
    pub asks_by_edge: bool,
    /// The requirements that each edge meets: a row for each.
    pub meets: Vec<u64>,
    /// What the stepper notes of its edges, one behind the other: opaque, and kept by a search that
    /// records edges.
    pub notes: Vec<u8>,
    /// Where the note of each edge ends; empty if there are none.
    pub note_ends: Vec<usize>,
    /// What the stepper counted on the way, in numbers of its own.
    pub tally: Vec<u64>,
    /// What is wrong with the state or with edges out of it.
    pub faults: Vec<FaultAt>,
    /// What has no value here: which edges there are is not known.
    pub undefined: Option<Undefined>,
    /// An edge was left out because of a bound: not everything is seen.
    pub cut: bool,
    /// A step out of the state may go on endlessly and reach no state that is stored.
    pub endless: bool,
}

impl Edges {
    /// Forgets all edges; what is wanted stays.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.labels.clear();
        self.asks.clear();
        self.meets.clear();
        self.asks_by_edge = false;
        self.notes.clear();
        self.note_ends.clear();
        self.tally.clear();
        self.faults.clear();
        self.undefined = None;
        self.cut = false;
        self.endless = false;
    }

    /// Adds an edge to a target.
    pub fn push(&mut self, target: &[u8], label: Label) {
        self.bytes.extend_from_slice(target);
        self.ends.push(self.bytes.len());
        self.labels.push(label);
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no edge.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The k-th target.
    pub fn get(&self, k: usize) -> &[u8] {
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.bytes[start..self.ends[k]]
    }

    /// The targets of the edges, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }

    /// The requirements that the k-th edge meets; none if they are not wanted.
    pub fn met(&self, k: usize) -> &[u64] {
        if self.wants_fairness { &self.meets[k * self.words..(k + 1) * self.words] } else { &[] }
    }

    /// What the k-th edge asks for, idling behind the last; none if that is not wanted.
    pub fn asked(&self, k: usize) -> &[u64] {
        match (self.wants_fairness, self.asks_by_edge) {
            (false, _) => &[],
            (true, false) => &self.asks,
            (true, true) => &self.asks[k * self.words..(k + 1) * self.words],
        }
    }

    /// The note of the k-th edge.
    pub fn note(&self, k: usize) -> &[u8] {
        let end = |k: usize| self.note_ends.get(k).copied().unwrap_or(self.notes.len());
        &self.notes[if k == 0 { 0 } else { end(k - 1) }..end(k)]
    }

    /// The first fault after which no edge leads on.
    pub fn fatal(&self) -> Option<&FaultAt> {
        self.faults.iter().find(|f| !f.goes_on)
    }
}
