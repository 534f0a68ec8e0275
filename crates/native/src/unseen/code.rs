//! What a function does to memory, by its instructions: whether it tells of its accesses, as
//! instrumented code does, whether it accesses memory that others may see, and whether it uses
//! atomic instructions or the kernel's futexes.

use super::functions::Function;
use super::locals::Locals;
use super::own::{Own, Paths};
use super::reported::{Reported, makes_trampoline};
use iced_x86::{Code, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Does {
    /// Calls of functions that the instrumentation puts in.
    pub(super) tells: bool,
    /// Accesses to memory that is not the thread's own, and not constant.
    pub(super) accesses: bool,
    pub(super) atomic: bool,
    /// Calls of the kernel's futexes. These are seen; the words that they wait on need not be.
    pub(super) futex: bool,
    /// Accesses that nothing tells of, to memory that others may know.
    pub(super) unreported: bool,
    /// The same through its first argument, which it returns: as a result that is a large structure
    /// is written.
    pub(super) result: bool,
    /// Functions of this file that it calls with a first argument that is not on its stack.
    pub(super) gives: Vec<u64>,
    /// What becomes of the variables on its stack.
    pub(super) locals: Locals,
    /// Functions of this file whose address it uses.
    pub(super) addresses: Vec<u64>,
}

/// A file whose code is read.
pub(super) struct Reader<'a> {
    file: object::File<'a>,
    /// Where the addresses of functions of other files stand, and their names.
    imports: BTreeMap<u64, String>,
    /// Sections that can be written, and those with code: start, end.
    writable: Vec<(u64, u64)>,
    code: Vec<(u64, u64)>,
}

/// On the way through a function.
struct Walk {
    does: Does,
    reported: Reported,
    /// It returns its first argument, at every end so far.
    returns: Option<bool>,
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
        let text = |s: &object::Section<'_, '_>| {
            s.kind() == SectionKind::Text && !s.name().is_ok_and(|n| n.starts_with(".plt"))
        };
        let code = file.sections().filter(text).map(|s| (s.address(), s.address() + s.size())).collect();
        Some(Reader { file, imports, writable, code })
    }

    /// Whether any of its code is instrumented.
    pub(super) fn knows_instrumentation(&self) -> bool {
        self.file.dynamic_symbols().any(|s| s.name().is_ok_and(|n| n.starts_with("__tsan_")))
    }

    pub(super) fn read(&self, function: &Function<'_>) -> Does {
        let decoder = Decoder::with_ip(64, function.code, function.start, DecoderOptions::NONE);
        let all: Vec<Instruction> = decoder.into_iter().collect();
        let mut walk = Walk { does: Does::default(), reported: Reported::default(), returns: None };
        let mut paths = Paths::new(&all);
        for (at, instruction) in all.iter().enumerate() {
            paths.arrive(instruction);
            walk.reported.arrive(instruction);
            match self.callee(instruction) {
                Some(name) if name.starts_with("__tsan_") => {
                    walk.does.tells = true;
                    walk.does.locals.tell(&paths.now);
                    walk.reported.tell(name);
                }
                Some(name) if instruction.mnemonic() == Mnemonic::Call && is_constant(name) => {}
                Some("syscall") => walk.does.futex |= is_futex(&all[..at]),
                name => {
                    let creates = name == Some("pthread_create");
                    self.see_call(instruction, &paths.now, &mut walk, creates);
                }
            }
            walk.does.atomic |= is_atomic(instruction);
            walk.does.futex |= instruction.mnemonic() == Mnemonic::Syscall && is_futex(&all[..at]);
            self.see_access(instruction, &paths.now, &mut walk);
            walk.reported.leave(instruction);
            paths.follow(instruction, |at| self.is_writable(at));
        }
        let Walk { mut does, returns, .. } = walk;
        if does.result && returns != Some(true) {
            does.unreported = true;
        }
        does
    }

    /// Calls of the program's own functions, ends, and addresses of functions.
    fn see_call(&self, i: &Instruction, own: &Own, walk: &mut Walk, creates: bool) {
        let own_code = |at: u64| self.code.iter().any(|(start, end)| (*start..*end).contains(&at));
        let calls = i.mnemonic() == Mnemonic::Call;
        let direct = i.op_count() == 1 && i.op0_kind() == OpKind::NearBranch64;
        match i.mnemonic() {
            Mnemonic::Call | Mnemonic::Jmp if direct => {
                let target = i.near_branch_target();
                if own_code(target) && !own.has(Register::RDI) && !own.is_given(Register::RDI) && calls {
                    walk.does.gives.push(target);
                }
            }
            Mnemonic::Ret => {
                let given = own.is_given(Register::RAX);
                walk.returns = Some(given && walk.returns != Some(false));
            }
            Mnemonic::Lea if i.is_ip_rel_memory_operand() && own_code(i.ip_rel_memory_address()) => {
                walk.does.addresses.push(i.ip_rel_memory_address());
            }
            _ => {}
        }
        if calls {
            walk.reported.call();
            walk.does.locals.call(own, creates);
        }
    }

    fn see_access(&self, instruction: &Instruction, own: &Own, walk: &mut Walk) {
        walk.does.unreported |= makes_trampoline(instruction);
        if instruction.mnemonic() != Mnemonic::Lea {
            walk.does.locals.access(instruction);
        }
        if !self.accesses(instruction, own) {
            // What was reported of a variable on the stack is spent there.
            if walk.does.locals.is_reported(instruction) {
                walk.reported.access(instruction);
            }
            return;
        }
        walk.does.accesses = true;
        if walk.reported.access(instruction) {
            return;
        }
        match own.is_given(instruction.memory_base()) {
            true => walk.does.result = true,
            false => walk.does.unreported = true,
        }
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
            OpKind::Memory if instruction.memory_base() == Register::None => {
                self.is_writable(instruction.memory_displacement64())
            }
            OpKind::Memory => !own.has(instruction.memory_base()) && !own.has(instruction.memory_index()),
            OpKind::MemoryESRDI | OpKind::MemorySegRDI => !own.has(Register::RDI),
            OpKind::MemorySegRSI => !own.has(Register::RSI),
            kind => matches!(kind, OpKind::MemoryESDI | OpKind::MemoryESEDI),
        })
    }
}

/// Functions that the headers declare to depend on nothing but their arguments: an access may move
/// across a call of one, and it orders nothing.
fn is_constant(function: &str) -> bool {
    const CONSTANT: &str = "pthread_self pthread_equal thrd_current thrd_equal __errno_location
        __h_errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc abs labs llabs imaxabs ffs
        ffsl ffsll htonl htons ntohl ntohs gnu_dev_makedev gnu_dev_major gnu_dev_minor toascii difftime";
    CONSTANT.split_whitespace().any(|name| name == function)
}

fn is_prefetch(code: Code) -> bool {
    format!("{code:?}").starts_with("Prefetch")
}

/// A locked instruction, or an exchange with memory, which is always locked. Locked operations on
/// the stack are fences.
fn is_atomic(i: &Instruction) -> bool {
    let exchanges =
        i.mnemonic() == Mnemonic::Xchg && (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory);
    (i.has_lock_prefix() || exchanges) && i.memory_base() != Register::RSP
}

/// The number of the system call, or the first argument of `syscall`, is that of futex: set a few
/// instructions before.
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
