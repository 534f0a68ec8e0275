//! Automation: the comparison rig with SPIN (generator, shrinker, oracle table, benches) and the
//! tidiness of the repository.

#![allow(clippy::print_stdout, clippy::print_stderr)]

pub mod bench;
pub mod cache;
pub mod calls;
pub mod compare;
pub mod dist;
pub mod figure4;
pub mod fuzz;
pub mod fuzz_calls;
pub mod fuzz_engines;
pub mod fuzz_java;
pub mod fuzz_ltl;
pub mod fuzz_programs;
pub mod fuzz_reduction;
pub mod generate;
pub mod java;
pub mod levels;
pub mod ltl;
pub mod oracle;
pub mod outcomes;
pub mod plot;
pub mod process;
pub mod program;
pub mod programs;
pub mod proofs;
pub mod rates;
pub mod reduction;
pub mod scratch;
pub mod seeds;
pub mod shapes;
pub mod shrink;
pub mod soak;
pub mod solve;
pub mod speed;
pub mod spin;
pub mod suite;
pub mod table;
pub mod threaded;
pub mod tidy;
pub mod weave;
pub mod words;
