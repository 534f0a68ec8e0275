//! What the copies of a program have executed, known once they are gone.
//!
//! Searches of runs make and drop their steppers themselves; a program that has a ledger writes
//! down what it executed when it is dropped.

use std::sync::{Arc, Mutex, PoisonError};

/// By process type and transition of the original system: whether a copy executed it.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<Vec<Vec<bool>>>>);

impl Ledger {
    /// What all programs that are gone have executed.
    pub fn read(&self) -> Vec<Vec<bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn add(&self, reached: Vec<Vec<bool>>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.is_empty() {
            *all = reached;
            return;
        }
        let mine = all.iter_mut().flatten();
        mine.zip(reached.into_iter().flatten()).for_each(|(mine, theirs)| *mine |= theirs);
    }
}
