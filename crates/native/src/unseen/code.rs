//! What a function does to memory, by its instructions: whether it tells of its accesses, as instrumented code does, whether it accesses
//! memory that others may see, and whether it uses atomic instructions or the kernel's futexes.

use super::functions::Function;
use iced_x86::{Code, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Does {
    /// Calls of functions that the instrumentation puts in.
    pub(super) tells: bool,
    /// Accesses to memory that is not the thread's own, and not constant.
    pub(super) accesses: bool,
    pub(super) atomic: bool,
    /// Calls of the kernel's futexes. These are seen; the words that they wait on need not be.
    pub(super) futex: bool,
}

/// A file whose code is read.
pub(super) struct Reader<'a> {
    file: object::File<'a>,
    /// Where the addresses of functions of other files stand, and their names.
    imports: BTreeMap<u64, String>,
    /// Sections that can be written: start, end.
    writable: Vec<(u64, u64)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Option<Reader<'a>> {
        let file = object::File::parse(bytes).ok()?;
        let names: BTreeMap<usize, String> =
            file.dynamic_symbols().filter_map(|s| Some((s.index().0, s.name().ok()?.to_string()))).collect();
        let mut imports = BTreeMap::new();
        for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
            if let RelocationTarget::Symbol(symbol) = relocation.target() {
                imports.extend(names.get(&symbol.0).map(|name| (at, name.clone())));
            }
        }
        let data = |s: &object::Section<'_, '_>| {
            let relocated = s.name().is_ok_and(|n| n.starts_with(".got") || n.starts_with(".data.rel.ro"));
            matches!(s.kind(), SectionKind::Data | SectionKind::UninitializedData) && !relocated
        };
        let writable = file.sections().filter(data).map(|s| (s.address(), s.address() + s.size())).collect();
        Some(Reader { file, imports, writable })
    }

    /// Whether any of its code is instrumented.
    pub(super) fn knows_instrumentation(&self) -> bool {
        self.file.dynamic_symbols().any(|s| s.name().is_ok_and(|n| n.starts_with("__tsan_")))
    }

    pub(super) fn read(&self, function: &Function<'_>) -> Does {
        let mut does = Does::default();
        let mut own = Own::default();
        let decoder = Decoder::with_ip(64, function.code, function.start, DecoderOptions::NONE);
        let all: Vec<Instruction> = decoder.into_iter().collect();
        own.frame = all.iter().any(sets_frame);
        for (at, instruction) in all.iter().enumerate() {
            match self.callee(instruction) {
                Some(name) if name.starts_with("__tsan_") => does.tells = true,
                Some("syscall") => does.futex |= is_futex(&all[..at]),
                _ => {}
            }
            does.atomic |= is_atomic(instruction);
            does.futex |= instruction.mnemonic() == Mnemonic::Syscall && is_futex(&all[..at]);
            does.accesses |= self.accesses(instruction, &own);
            own.follow(instruction, |at| self.is_writable(at));
        }
        does
    }

    fn is_writable(&self, at: u64) -> bool {
        self.writable.iter().any(|(start, end)| (*start..*end).contains(&at))
    }

    /// The function of another file that is called, directly or by a stub.
    fn callee(&self, instruction: &Instruction) -> Option<&str> {
        if !matches!(instruction.mnemonic(), Mnemonic::Call | Mnemonic::Jmp) {
            return None;
        }
        if instruction.is_ip_rel_memory_operand() {
            return self.imports.get(&instruction.ip_rel_memory_address()).map(String::as_str);
        }
        if instruction.op0_kind() != OpKind::NearBranch64 {
            return None;
        }
        let target = instruction.near_branch_target();
        let section =
            self.file.sections().find(|s| s.address() <= target && target < s.address() + s.size())?;
        if !section.name().is_ok_and(|n| n.starts_with(".plt")) {
            return None;
        }
        let stub = section.data().ok()?.get((target - section.address()) as usize..)?;
        let stub = &stub[..stub.len().min(16)];
        let jump = Decoder::with_ip(64, stub, target, DecoderOptions::NONE)
            .into_iter()
            .find(|i| i.mnemonic() == Mnemonic::Jmp && i.is_ip_rel_memory_operand())?;
        self.imports.get(&jump.ip_rel_memory_address()).map(String::as_str)
    }

    /// Whether an instruction accesses memory that another thread may see.
    fn accesses(&self, instruction: &Instruction, own: &Own) -> bool {
        let aside = [Mnemonic::Lea, Mnemonic::Nop, Mnemonic::Call, Mnemonic::Jmp];
        if aside.contains(&instruction.mnemonic()) || is_prefetch(instruction.code()) {
            return false;
        }
        (0..instruction.op_count()).any(|operand| match instruction.op_kind(operand) {
            OpKind::Memory if matches!(instruction.memory_segment(), Register::FS | Register::GS) => false,
            OpKind::Memory if instruction.is_ip_rel_memory_operand() => {
                self.is_writable(instruction.ip_rel_memory_address())
            }
            OpKind::Memory => !own.has(instruction.memory_base()) && !own.has(instruction.memory_index()),
            kind => matches!(
                kind,
                OpKind::MemoryESRDI
                    | OpKind::MemoryESDI
                    | OpKind::MemoryESEDI
                    | OpKind::MemorySegRSI
                    | OpKind::MemorySegRDI
            ),
        })
    }
}

fn sets_frame(i: &Instruction) -> bool {
    let to_frame = i.op_count() == 2 && i.op0_kind() == OpKind::Register && i.op0_register() == Register::RBP;
    let from_stack = i.op_count() == 2
        && (i.op1_kind() == OpKind::Register && i.op1_register() == Register::RSP
            || i.op1_kind() == OpKind::Memory && i.memory_base() == Register::RSP);
    to_frame && from_stack && matches!(i.mnemonic(), Mnemonic::Mov | Mnemonic::Lea)
}

fn is_prefetch(code: Code) -> bool {
    format!("{code:?}").starts_with("Prefetch")
}

/// A locked instruction, or an exchange with memory, which is always locked. Locked operations on the stack are fences.
fn is_atomic(i: &Instruction) -> bool {
    let exchanges =
        i.mnemonic() == Mnemonic::Xchg && (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory);
    (i.has_lock_prefix() || exchanges) && i.memory_base() != Register::RSP
}

/// The number of the system call, or the first argument of `syscall`, is that of futex: set a few instructions before.
fn is_futex(before: &[Instruction]) -> bool {
    const FUTEX: u64 = 202;
    let number = [Register::RAX, Register::EAX, Register::RDI, Register::EDI];
    before.iter().rev().take(12).any(|i| {
        i.mnemonic() == Mnemonic::Mov
            && i.op0_kind() == OpKind::Register
            && number.contains(&i.op0_register())
            && i.op1_kind() != OpKind::Register
            && i.op1_kind() != OpKind::Memory
            && i.immediate(1) == FUTEX
    })
}

/// The number of a general register, of 64 bits or its lower half.
fn general(register: Register) -> Option<u32> {
    let number = |first: Register| (register as u32).checked_sub(first as u32).filter(|n| *n < 16);
    number(Register::RAX).or_else(|| number(Register::EAX))
}

/// Registers that hold addresses of the stack or of constants.
#[derive(Default)]
struct Own {
    frame: bool,
    registers: BTreeSet<u32>,
}

impl Own {
    fn has(&self, register: Register) -> bool {
        match register {
            Register::RSP | Register::ESP => true,
            Register::RBP => self.frame,
            Register::None => false,
            _ => general(register).is_some_and(|number| self.registers.contains(&number)),
        }
    }

    fn follow(&mut self, i: &Instruction, writable: impl Fn(u64) -> bool) {
        if i.op_count() == 0 || i.op0_kind() != OpKind::Register {
            return;
        }
        let Some(to) = general(i.op0_register()) else { return };
        let own = match i.mnemonic() {
            Mnemonic::Lea if i.is_ip_rel_memory_operand() => !writable(i.ip_rel_memory_address()),
            Mnemonic::Lea => self.has(i.memory_base()) || self.has(i.memory_index()),
            Mnemonic::Mov if i.op1_kind() == OpKind::Register => self.has(i.op1_register()),
            Mnemonic::Add | Mnemonic::Sub | Mnemonic::Cmp | Mnemonic::Test => return,
            _ => false,
        };
        match own {
            true => drop(self.registers.insert(to)),
            false => drop(self.registers.remove(&to)),
        }
    }
}
