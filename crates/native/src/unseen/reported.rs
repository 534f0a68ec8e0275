//! Accesses of instrumented code that nothing tells of.
//!
//! A compiler puts a call before each access that it instruments, and no access can move across a
//! call. So what a piece of code between two calls may access is what the calls of the
//! instrumentation just before it have reported, in bytes read and bytes written. What goes beyond
//! that is not reported: gcc leaves out values of structures that are arguments or results of
//! calls, assembler, and functions with `no_sanitize`.
//!
//! A function that returns a large structure writes it through a pointer that its caller gives it:
//! the caller says where that is.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use std::collections::BTreeMap;

/// Bytes that may be read and written, as reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Budget {
    reads: u64,
    writes: u64,
}

/// What was reported, and not yet done, on the way through a function.
#[derive(Debug, Default)]
pub(super) struct Reported {
    now: Budget,
    /// Something was accessed since the last call of the instrumentation.
    spent: bool,
    /// What is left at the targets of jumps.
    at: BTreeMap<u64, Budget>,
}

const WHOLE: u64 = 1 << 40;

impl Reported {
    /// Before an instruction: others may jump here.
    pub(super) fn arrive(&mut self, i: &Instruction) {
        if let Some(there) = self.at.get(&i.ip()) {
            self.now.reads = self.now.reads.max(there.reads);
            self.now.writes = self.now.writes.max(there.writes);
        }
    }

    /// Behind it: where it jumps to.
    pub(super) fn leave(&mut self, i: &Instruction) {
        if i.op_count() > 0 && i.op0_kind() == OpKind::NearBranch64 && i.mnemonic() != Mnemonic::Call {
            let now = self.now;
            let there = self.at.entry(i.near_branch_target()).or_default();
            there.reads = there.reads.max(now.reads);
            there.writes = there.writes.max(now.writes);
        }
    }

    /// A call of the instrumentation.
    pub(super) fn tell(&mut self, name: &str) {
        let name = name.trim_start_matches("__tsan_").trim_start_matches("unaligned_");
        let name = name.trim_start_matches("volatile_");
        if name.starts_with("func_") {
            return;
        }
        if std::mem::take(&mut self.spent) {
            self.now = Budget::default();
        }
        let size = |text: &str| text.parse().unwrap_or(WHOLE);
        if let Some(rest) = name.strip_prefix("read_write") {
            self.now.reads += size(rest);
            self.now.writes += size(rest);
        } else if let Some(rest) = name.strip_prefix("read") {
            self.now.reads += size(rest);
        } else if let Some(rest) = name.strip_prefix("write") {
            self.now.writes += size(rest);
        } else if name.starts_with("vptr_read") {
            self.now.reads += 8;
        } else if name.starts_with("vptr_update") {
            self.now.writes += 8;
        }
    }

    /// A call of anything else: nothing that was reported before is done behind it.
    pub(super) fn call(&mut self) {
        self.now = Budget::default();
        self.spent = false;
    }

    /// An access to memory that others may see; whether it was reported.
    pub(super) fn access(&mut self, i: &Instruction) -> bool {
        let size = (i.memory_size().size() as u64).max(1);
        let (reads, writes) = ways(i);
        self.spent = true;
        let take = |left: &mut u64| {
            let enough = *left >= size;
            *left = left.saturating_sub(size);
            enough
        };
        (!reads || take(&mut self.now.reads)) & (!writes || take(&mut self.now.writes))
    }
}

/// Whether the operand in memory is read, and whether it is written.
fn ways(i: &Instruction) -> (bool, bool) {
    use Mnemonic::*;
    let first = i.op_kind(0) == OpKind::Memory;
    match i.mnemonic() {
        Movsb | Movsw | Movsd | Movsq if !first && i.op_kind(0) != OpKind::Register => (true, true),
        Stosb | Stosw | Stosd | Stosq => (false, true),
        Cmp | Test | Bt | Push | Mul | Div | Idiv | Fld | Fild | Fadd | Fmul | Fsub | Fdiv => (true, false),
        Imul if i.op_count() == 1 => (true, false),
        Add | Sub | Adc | Sbb | And | Or | Xor | Inc | Dec | Not | Neg | Shl | Shr | Sar | Rol | Ror
        | Bts | Btr | Btc | Xchg | Xadd | Cmpxchg
            if first =>
        {
            (true, true)
        }
        _ => (!first, first),
    }
}

/// A function whose inner functions are reached by a pointer: it writes the code that leads to them
/// to its stack, and their variables are accessed without a word.
pub(super) fn makes_trampoline(i: &Instruction) -> bool {
    const CODES: [u64; 2] = [0xbb49, 0xba49];
    i.mnemonic() == Mnemonic::Mov
        && i.op0_kind() == OpKind::Memory
        && i.memory_size().size() == 2
        && i.op1_kind() != OpKind::Register
        && CODES.contains(&(i.immediate(1) & 0xffff))
        && matches!(i.memory_base(), Register::RSP | Register::RBP)
}
