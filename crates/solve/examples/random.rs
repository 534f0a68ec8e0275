//! Compares the embedded engine with z3 on many random conditions:
//! `random COUNT [FIRST-SEED [THEORY]]`. A single one is printed, too.

#![allow(clippy::print_stdout)]

#[path = "../tests/random/compare.rs"]
mod compare;
#[path = "../tests/random/generate.rs"]
mod generate;

use generate::{DECIDED, Theory};

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (count, first) = (number(0, 500), number(1, 1_000));
    let mut failed = false;
    for theory in DECIDED.into_iter().chain([Theory::Queues, Theory::Lists, Theory::Quantified]) {
        if arguments.get(2).is_some_and(|wanted| *wanted != format!("{theory:?}")) {
            continue;
        }
        if count == 1 {
            let condition = generate::condition(theory, first);
            println!("{}", solve::smtlib::script(&condition.assumptions, &condition.goal, None));
        }
        let report = compare::with_z3(theory, first..first + count);
        println!(
            "{theory:?}: {} valid, {} invalid, {} unknown, {} wrong; z3 wrong on {:?}, unknown on {}; {:.1} s, slowest {:.2} s (seed {})",
            report.valid,
            report.invalid,
            report.unknown.len(),
            report.wrong.len(),
            report.wrong_z3,
            report.unknown_to_z3,
            report.total.as_secs_f64(),
            report.slowest.0.as_secs_f64(),
            report.slowest.1
        );
        report.unknown.iter().take(5).for_each(|(seed, reason)| println!("  seed {seed}: {reason}"));
        report.wrong.iter().take(3).for_each(|words| println!("{words}"));
        let decided = DECIDED.contains(&theory);
        failed |= !report.wrong.is_empty() || (decided && !report.unknown.is_empty());
    }
    if failed { 1.into() } else { 0.into() }
}
