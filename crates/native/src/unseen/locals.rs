//! Variables on the stack of a function that makes threads: others may know their addresses.
//!
//! The compiler instruments every access to a variable whose address goes elsewhere, but for structures that a call takes or returns. So in
//! such a function an access to a place whose address was stored, or given to what makes threads, and of which nothing tells, is one of these.

use super::own::{Own, Place, place};
use iced_x86::{Instruction, OpKind, Register};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Locals {
    /// Places whose address was stored, or given to a function of another file that makes threads.
    known: BTreeSet<Place>,
    /// Places whose address was given to a function of this file.
    given: BTreeSet<(u64, Place)>,
    /// What was told since the last other call.
    told: BTreeSet<Place>,
    /// Places that were accessed without.
    accessed: BTreeSet<Place>,
    /// Something was called: before that no other thread has an address.
    called: bool,
}

impl Locals {
    /// A call of the instrumentation about a place on the stack.
    pub(super) fn tell(&mut self, own: &Own) {
        self.told.extend(own.place(Register::RDI));
    }

    /// A call of anything else: of a function of this file, or of one that makes threads.
    pub(super) fn call(&mut self, own: &Own, target: Option<u64>, creates: bool) {
        const ARGUMENTS: [Register; 6] =
            [Register::RDI, Register::RSI, Register::RDX, Register::RCX, Register::R8, Register::R9];
        for place in ARGUMENTS.iter().filter_map(|r| own.place(*r)) {
            self.known.extend(creates.then_some(place));
            self.given.extend(target.map(|t| (t, place)));
        }
        self.told.clear();
        self.called = true;
    }

    pub(super) fn access(&mut self, i: &Instruction, own: &Own) {
        let memory = (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory);
        if let Some(place) = place(i).filter(|p| memory && self.called && !self.told.contains(p)) {
            self.accessed.insert(place);
        }
        if i.op_count() == 2 && i.op0_kind() == OpKind::Memory && i.op1_kind() == OpKind::Register {
            self.known.extend(own.place(i.op1_register()));
        }
    }

    /// Whether something was accessed that others may know, and nothing told.
    pub(super) fn are_untold(&self, creators: &BTreeSet<u64>) -> bool {
        let given = self.given.iter().filter(|(to, _)| creators.contains(to)).map(|(_, place)| place);
        self.known.iter().chain(given).any(|place| self.accessed.contains(place))
    }
}
