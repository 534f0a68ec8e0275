//! Registers that hold addresses of the stack or of constants, along the paths through a function;
//! and those that hold its first argument.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use std::collections::{BTreeMap, BTreeSet};

/// The number of a general register, of 64 bits or its lower half.
fn general(register: Register) -> Option<u32> {
    let number = |first: Register| (register as u32).checked_sub(first as u32).filter(|n| *n < 16);
    number(Register::RAX).or_else(|| number(Register::EAX))
}

fn sets_frame(i: &Instruction) -> bool {
    let to_frame = i.op_count() == 2 && i.op0_kind() == OpKind::Register && i.op0_register() == Register::RBP;
    let from_stack = i.op_count() == 2
        && (i.op1_kind() == OpKind::Register && i.op1_register() == Register::RSP
            || i.op1_kind() == OpKind::Memory && i.memory_base() == Register::RSP);
    to_frame && from_stack && matches!(i.mnemonic(), Mnemonic::Mov | Mnemonic::Lea)
}

/// A place on the stack: a register and a distance from it.
pub(super) type Place = (u32, u64);

/// The place on the stack that an operand in memory means.
pub(super) fn place(i: &Instruction) -> Option<Place> {
    let direct =
        matches!(i.memory_base(), Register::RSP | Register::RBP) && i.memory_index() == Register::None;
    Some((general(i.memory_base())?, i.memory_displacement64())).filter(|_| direct)
}

#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    frame: bool,
    registers: BTreeSet<u32>,
    /// Registers that hold the address of a place on the stack, and of which.
    places: BTreeMap<u32, Place>,
    /// The first argument, in registers and in places of the stack.
    given: BTreeSet<u32>,
    kept: BTreeSet<(u32, u64)>,
}

impl Own {
    pub(super) fn has(&self, register: Register) -> bool {
        match register {
            Register::RSP | Register::ESP => true,
            Register::RBP => self.frame,
            Register::None => false,
            _ => general(register).is_some_and(|number| self.registers.contains(&number)),
        }
    }

    /// The place on the stack whose address a register holds.
    pub(super) fn place(&self, register: Register) -> Option<Place> {
        self.places.get(&general(register)?).copied()
    }

    pub(super) fn is_given(&self, register: Register) -> bool {
        general(register).is_some_and(|number| self.given.contains(&number))
    }

    /// What both know.
    fn meet(&mut self, other: &Own) {
        self.registers.retain(|r| other.registers.contains(r));
        self.places.retain(|r, at| other.places.get(r) == Some(at));
        self.given.retain(|r| other.given.contains(r));
        self.kept.retain(|k| other.kept.contains(k));
    }

    /// Functions may change these.
    fn call(&mut self) {
        const LOST: [Register; 9] = [
            Register::RAX,
            Register::RCX,
            Register::RDX,
            Register::RSI,
            Register::RDI,
            Register::R8,
            Register::R9,
            Register::R10,
            Register::R11,
        ];
        for lost in LOST.iter().filter_map(|r| general(*r)) {
            self.registers.remove(&lost);
            self.places.remove(&lost);
            self.given.remove(&lost);
        }
    }

    fn follow(&mut self, i: &Instruction, writable: impl Fn(u64) -> bool) {
        if i.op_count() == 0 {
            return;
        }
        let place = |i: &Instruction| Some((general(i.memory_base())?, i.memory_displacement64()));
        if i.op0_kind() == OpKind::Memory && i.mnemonic() == Mnemonic::Mov && self.has(i.memory_base()) {
            let given = i.op1_kind() == OpKind::Register && self.is_given(i.op1_register());
            match (place(i), given) {
                (Some(place), true) => drop(self.kept.insert(place)),
                (Some(place), false) => drop(self.kept.remove(&place)),
                _ => {}
            }
        }
        if i.op0_kind() != OpKind::Register {
            return;
        }
        let Some(to) = general(i.op0_register()) else { return };
        let (own, given) = match i.mnemonic() {
            Mnemonic::Lea if i.is_ip_rel_memory_operand() => (!writable(i.ip_rel_memory_address()), false),
            Mnemonic::Lea => {
                (self.has(i.memory_base()) || self.has(i.memory_index()), self.is_given(i.memory_base()))
            }
            Mnemonic::Mov if i.op1_kind() == OpKind::Register => {
                (self.has(i.op1_register()), self.is_given(i.op1_register()))
            }
            Mnemonic::Mov if i.op1_kind() == OpKind::Memory && self.has(i.memory_base()) => {
                (false, place(i).is_some_and(|p| self.kept.contains(&p)))
            }
            Mnemonic::Cmp | Mnemonic::Test => return,
            Mnemonic::Add | Mnemonic::Sub => {
                self.places.remove(&to);
                return;
            }
            _ => (false, false),
        };
        let at = match i.mnemonic() {
            Mnemonic::Lea if i.memory_index() == Register::None => {
                let from = |(base, at): Place| (base, at.wrapping_add(i.memory_displacement64()));
                place(i).or_else(|| self.place(i.memory_base()).map(from)).filter(|_| own)
            }
            Mnemonic::Mov if i.op1_kind() == OpKind::Register => self.place(i.op1_register()),
            _ => None,
        };
        match at {
            Some(at) => self.places.insert(to, at),
            None => self.places.remove(&to),
        };
        let put = |set: &mut BTreeSet<u32>, is: bool| match is {
            true => drop(set.insert(to)),
            false => drop(set.remove(&to)),
        };
        put(&mut self.registers, own);
        put(&mut self.given, given);
    }
}

/// What is known at each instruction: of jumps that lead there, and of what comes before it.
pub(super) struct Paths {
    pub(super) now: Own,
    /// The instruction before this one does not go on here.
    over: bool,
    at: BTreeMap<u64, Own>,
    /// At the last call: code that handles exceptions is reached from there.
    called: Own,
}

impl Paths {
    pub(super) fn new(all: &[Instruction]) -> Paths {
        let frame = all.iter().any(sets_frame);
        let given = general(Register::RDI).into_iter().collect();
        let now = Own { frame, given, ..Own::default() };
        Paths { called: now.clone(), now, over: false, at: BTreeMap::new() }
    }

    pub(super) fn arrive(&mut self, i: &Instruction) {
        match (self.at.get(&i.ip()), std::mem::take(&mut self.over)) {
            (Some(there), true) => self.now = there.clone(),
            (Some(there), false) => self.now.meet(there),
            (None, true) => self.now = self.called.clone(),
            (None, false) => {}
        }
    }

    pub(super) fn follow(&mut self, i: &Instruction, writable: impl Fn(u64) -> bool) {
        if i.mnemonic() == Mnemonic::Call {
            self.now.call();
            self.called = self.now.clone();
            return;
        }
        self.now.follow(i, writable);
        if i.op_count() == 1 && i.op0_kind() == OpKind::NearBranch64 {
            let now = self.now.clone();
            self.at.entry(i.near_branch_target()).and_modify(|there| there.meet(&now)).or_insert(now);
        }
        self.over = matches!(i.mnemonic(), Mnemonic::Jmp | Mnemonic::Ret | Mnemonic::Ud2);
    }
}
