//! One file for each command.

pub(crate) mod answer;
pub(crate) mod audit;
pub(crate) mod cc;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod cut;
mod dialogue;
pub(crate) mod diff_spin;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod explain_reduction;
pub(crate) mod interactive;
pub(crate) mod ltl;
pub(crate) mod man;
pub(crate) mod names;
pub(crate) mod prove;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod simulate;
pub(crate) mod studio;
pub(crate) mod test;

/// Phases in which signals mean something else: a line is waited for, gdb has the terminal, or
/// processes of ours are to be ended first.
pub(crate) const AT_PROMPT: &str = "waiting for a line";
pub(crate) const SERVING: &str = "serving the studio";
pub(crate) const IN_GDB: &str = "gdb has the terminal";
