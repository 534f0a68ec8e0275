//! Decides SMT-LIB 2 files with the embedded engine: one line a file, its name, what it promises,
//! the answer, the time.
//!
//! `cargo run --example smt -- FILE…`

#![allow(clippy::print_stdout)]

use logic::fol::Term;
use solve::{Answer, Embedded, Options, Solver, smtlib};
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        let begin = Instant::now();
        let answer = decide(&path);
        println!("{path}\t{answer}\t{:.3}", begin.elapsed().as_secs_f64());
    }
}

/// What is promised and what is answered, in SMT-LIB's words.
fn decide(path: &str) -> String {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return format!("-\terror: {error}"),
    };
    let script = match smtlib::read(&text) {
        Ok(script) => script,
        Err(error) => return format!("-\terror: {error}"),
    };
    let answer = match Embedded::default().check(&script.assertions, &Term::truth(false), &Options::default())
    {
        Answer::Valid { .. } => "unsat".to_owned(),
        Answer::Invalid { .. } => "sat".to_owned(),
        Answer::Unknown { reason } => format!("unknown: {reason}"),
    };
    format!("{}\t{answer}", script.status.as_deref().unwrap_or("-"))
}
