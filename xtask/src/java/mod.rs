//! Random Java programs, held against the JVM and against a brute-force interpreter.
//!
//! `generate` writes a program of `ast`; `print` gives the text for weave and, with gates, for the
//! JVM; `compile`, `machine` and `explore` know by themselves what is true of it.

pub mod answer;
pub mod ast;
pub mod code;
pub mod compile;
mod compile_expr;
pub mod constructs;
mod execute;
pub mod explore;
pub mod follow;
pub mod generate;
mod generate_expr;
mod generate_main;
mod generate_stmt;
pub mod judge;
pub mod jvm;
pub mod known;
pub mod machine;
pub mod print;
mod print_expr;
pub mod prune;
pub mod query;
pub mod shrink;
pub mod state;
mod walk;
