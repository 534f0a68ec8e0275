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
    /// However the run goes on, the property is broken.
    Property,
}

/// A fault and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaultAt {
    pub fault: Fault,
    /// A place of the description: one transition may reach several assertions.
    pub place: u64,
    /// How the step began.
    pub label: Label,
    /// The edge exists besides.
    pub goes_on: bool,
}

/// The edges out of a state, always the same in the same order.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// The targets, one behind the other.
    pub bytes: Vec<u8>,
    /// Where each target ends in `bytes`.
    pub ends: Vec<usize>,
    pub labels: Vec<Label>,
    /// Whether `asks` and `meets` are wanted.
    pub wants_fairness: bool,
    /// How many words a row of requirements takes.
    pub words: usize,
    /// The requirements that the state asks for: one row.
    pub asks: Vec<u64>,
    /// The requirements that each edge meets: a row for each.
    pub meets: Vec<u64>,
    pub faults: Vec<FaultAt>,
    /// What has no value here: which edges there are is not known.
    pub undefined: Option<Undefined>,
    /// An edge was left out because of a bound: not everything is seen.
    pub cut: bool,
}

impl Edges {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.labels.clear();
        self.asks.clear();
        self.meets.clear();
        self.faults.clear();
        self.undefined = None;
        self.cut = false;
    }

    /// Adds an edge to a target.
    pub fn push(&mut self, target: &[u8], label: Label) {
        self.bytes.extend_from_slice(target);
        self.ends.push(self.bytes.len());
        self.labels.push(label);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The k-th target.
    pub fn get(&self, k: usize) -> &[u8] {
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.bytes[start..self.ends[k]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }

    /// The requirements that the k-th edge meets; none if they are not wanted.
    pub fn met(&self, k: usize) -> &[u64] {
        if self.wants_fairness { &self.meets[k * self.words..(k + 1) * self.words] } else { &[] }
    }

    /// The first fault after which no edge leads on.
    pub fn fatal(&self) -> Option<&FaultAt> {
        self.faults.iter().find(|f| !f.goes_on)
    }
}
