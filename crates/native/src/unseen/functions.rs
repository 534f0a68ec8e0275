//! The functions of a program or library: from its symbols, or from its unwind tables if it has
//! none.

use addr2line::gimli::{self, UnwindSection};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

/// A piece of code, with the bytes of its instructions.
pub(super) struct Function<'a> {
    pub(super) start: u64,
    pub(super) code: &'a [u8],
    name: Option<String>,
}

/// What compilers put into every program. They access memory before and after everything else, or
/// hand over to a function that is replaced.
const START_CODE: [&str; 12] = [
    "_start",
    "_init",
    "_fini",
    "deregister_tm_clones",
    "register_tm_clones",
    "__do_global_dtors_aux",
    "frame_dummy",
    "_dl_relocate_static_pie",
    "__libc_csu_init",
    "atexit",
    "at_quick_exit",
    "pthread_atfork",
];

impl Function<'_> {
    /// Not a function of the program's source: start code, adjustments of `this`, a part that was
    /// moved out of its function.
    pub(super) fn is_start_code(&self) -> bool {
        let Some(name) = &self.name else { return false };
        START_CODE.contains(&name.as_str())
            || name.starts_with("_ZTv")
            || name.starts_with("_ZTh")
            || name.starts_with("_ZTc")
            || name.contains(".cold")
    }

    /// Calls a member function of the state that promises and futures share. The pointer to that
    /// member is a temporary object of libstdc++ on the stack of the same thread, and gcc does not
    /// instrument its use; the member is protected, so that no other pointer to it can be meant.
    pub(super) fn calls_own_member(&self) -> bool {
        const CALLS: &str = "9once_flag18_Prepare_execution";
        const MEMBER: &str = "St9call_onceIMNSt13__future_base13_State_baseV2EF";
        self.name.as_ref().is_some_and(|name| name.contains(CALLS) && name.contains(MEMBER))
    }

    pub(super) fn shown(&self) -> String {
        match &self.name {
            Some(name) => demangled(name),
            None => format!("code at {:#x}", self.start),
        }
    }
}

/// A section with code: where it begins, and its bytes.
type Code<'a> = (u64, &'a [u8]);

pub(super) fn functions(bytes: &[u8]) -> Vec<Function<'_>> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let text = |s: &object::Section<'_, '_>| s.kind() == SectionKind::Text && !is_stub(s.name());
    let code: Vec<Code<'_>> =
        file.sections().filter(text).filter_map(|s| Some((s.address(), s.data().ok()?))).collect();
    let mut marks = symbols(&file);
    if marks.is_empty() {
        marks = unwound(&file);
    }
    let mut all = Vec::new();
    for (start, bytes) in code {
        all.extend(divide(start, bytes, &marks));
    }
    all
}

fn is_stub(name: object::Result<&str>) -> bool {
    name.is_ok_and(|n| n.starts_with(".plt"))
}

/// Where functions begin, and their names.
type Marks = Vec<(u64, Option<String>)>;

fn symbols(file: &object::File<'_>) -> Marks {
    let has_code = |s: &object::Symbol<'_, '_>| {
        let kind = matches!(s.kind(), SymbolKind::Text | SymbolKind::Label | SymbolKind::Unknown);
        kind && s.is_definition() && s.address() != 0
    };
    let mark = |s: object::Symbol<'_, '_>| (s.address(), s.name().ok().map(str::to_string));
    let mut marks: Marks = file.symbols().filter(has_code).map(mark).collect();
    marks.sort();
    marks.dedup_by_key(|(at, _)| *at);
    marks
}

fn unwound(file: &object::File<'_>) -> Marks {
    let Some(section) = file.section_by_name(".eh_frame") else { return Vec::new() };
    let Ok(data) = section.data() else { return Vec::new() };
    let frames = gimli::EhFrame::new(data, gimli::LittleEndian);
    let bases = gimli::BaseAddresses::default().set_eh_frame(section.address());
    let mut entries = frames.entries(&bases);
    let mut marks: Marks = Vec::new();
    while let Ok(Some(entry)) = entries.next() {
        let gimli::CieOrFde::Fde(part) = entry else { continue };
        let Ok(fde) = part.parse(|frames, bases, at| frames.cie_from_offset(bases, at)) else { continue };
        marks.push((fde.initial_address(), None));
    }
    marks.sort();
    marks.dedup_by_key(|(at, _)| *at);
    marks
}

/// A section, cut where functions begin; what comes before the first belongs to none.
fn divide<'a>(start: u64, code: &'a [u8], marks: &Marks) -> Vec<Function<'a>> {
    let end = start + code.len() as u64;
    let from = marks.partition_point(|(at, _)| *at < start);
    let to = marks.partition_point(|(at, _)| *at < end);
    let inside = &marks[from..to];
    let mut all = Vec::new();
    let first = inside.first().map_or(end, |(at, _)| *at);
    let part = |from: u64, to: u64| &code[(from - start) as usize..(to - start) as usize];
    if first > start {
        all.push(Function { start, code: part(start, first), name: None });
    }
    for (at, (begin, name)) in inside.iter().enumerate() {
        let next = inside.get(at + 1).map_or(end, |(next, _)| *next);
        all.push(Function { start: *begin, code: part(*begin, next), name: name.clone() });
    }
    all
}

/// What people call a function. Only names that a compiler has made are taken apart: `f` is no
/// type.
pub(super) fn demangled(name: &str) -> String {
    if ["_Z", "_R", "__Z"].iter().any(|start| name.starts_with(start)) {
        return addr2line::demangle_auto(name.into(), None).into_owned();
    }
    name.to_string()
}
