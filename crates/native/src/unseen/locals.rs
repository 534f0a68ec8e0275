//! Variables on the stack of a function whose addresses it gives to a thread as it makes it.
//!
//! The compiler instruments every access to a variable whose address goes elsewhere, but for
//! structures that a call takes or returns. So an access to such a place of which nothing tells is
//! one of these.

use super::own::{Own, Place, place};
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Locals {
    /// Places whose address was given to a new thread.
    known: BTreeSet<Place>,
    /// What was reported since the last other call.
    reported: BTreeSet<Place>,
    /// Some place was reported since then, and it is not known which.
    vague: bool,
    /// Places that were accessed without.
    accessed: BTreeSet<Place>,
    /// Something was called: before that no other thread has an address.
    called: bool,
}

impl Locals {
    /// A call of the instrumentation about a place on the stack.
    pub(super) fn tell(&mut self, own: &Own) {
        match own.place(Register::RDI) {
            Some(place) => drop(self.reported.insert(place)),
            None => self.vague |= own.has(Register::RDI),
        }
    }

    /// A call of anything else, or of `pthread_create`, whose last argument goes to the thread.
    pub(super) fn call(&mut self, own: &Own, creates: bool) {
        self.known.extend(own.place(Register::RCX).filter(|_| creates));
        self.reported.clear();
        self.vague = false;
        self.called = true;
    }

    pub(super) fn is_reported(&self, i: &Instruction) -> bool {
        let memory = (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory);
        memory && i.mnemonic() != Mnemonic::Lea && place(i).is_some_and(|p| self.reported.contains(&p))
    }

    pub(super) fn access(&mut self, i: &Instruction) {
        let memory = (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory);
        if let Some(place) =
            place(i).filter(|p| memory && self.called && !self.vague && !self.reported.contains(p))
        {
            self.accessed.insert(place);
        }
    }

    /// Whether something was accessed that others may know, and nothing reported.
    pub(super) fn are_unreported(&self) -> bool {
        self.known.intersection(&self.accessed).next().is_some()
    }
}
