//! The account of an expansion: which steps lead to each successor and to each fault.

use space::Step;

#[derive(Clone, Default)]
pub struct Recorder {
    /// The steps from the state expanded to the one at work.
    pub prefix: Vec<Step>,
    successors: Vec<Vec<Step>>,
    faults: Vec<Vec<Step>>,
}

impl Recorder {
    /// The prefix and more steps.
    pub fn extended(&self, steps: Vec<Step>) -> Vec<Step> {
        self.prefix.iter().cloned().chain(steps).collect()
    }

    pub fn successor(&mut self, steps: Vec<Step>) {
        self.successors.push(self.extended(steps));
    }

    /// The state at work is itself a successor: its atomic sequence blocks.
    pub fn stays(&mut self) {
        self.successors.push(self.prefix.clone());
    }

    /// Only the first of merged transitions can fail, and it has kept its number.
    pub fn fault(&mut self, step: Step) {
        self.faults.push(self.extended(vec![step]));
    }

    pub fn successor_steps(&self, index: usize) -> Option<Vec<Step>> {
        self.successors.get(index).cloned()
    }

    pub fn fault_steps(&self, index: usize) -> Option<Vec<Step>> {
        self.faults.get(index).cloned()
    }
}
