//! Automation: the comparison rig with SPIN (generator, shrinker, oracle table, benches).

#![allow(clippy::print_stdout, clippy::print_stderr)]

pub mod generate;
pub mod process;
pub mod program;
pub mod scratch;
pub mod spin;
