//! The reserved words of Promela.

pub(super) const RESERVED: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "D_proctype",
    "do",
    "chan",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "d_step",
    "select",
    "set_priority",
    "short",
    "skip",
    "timeout",
    "trace",
    "true",
    "show",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Reserved words that may be the last of a statement.
const ENDING: &[&str] = &["od", "fi", "else", "break", "skip", "true", "false", "timeout", "np_"];

const TYPES: &[&str] = &["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"];

/// Words with which a new unit of the program begins.
const UNITS: &[&str] =
    &["active", "proctype", "D_proctype", "init", "never", "trace", "notrace", "ltl", "typedef", "inline"];

pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

pub(crate) fn is_type(word: &str) -> bool {
    TYPES.contains(&word)
}

pub(crate) fn is_unit(word: &str) -> bool {
    UNITS.contains(&word)
}

pub(crate) fn ends_statement(word: &str) -> bool {
    !is_reserved(word) || ENDING.contains(&word)
}

pub(crate) fn is_embedded_c(word: &str) -> bool {
    matches!(word, "c_code" | "c_decl" | "c_expr" | "c_state" | "c_track")
}

/// Words that cannot stand in a body, so that a closing brace must be missing before them.
pub(crate) const UNITS_IN_BODY: &[&str] = &["proctype", "D_proctype", "init", "never"];
