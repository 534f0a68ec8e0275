//! `xtask fuzz-ltl`: random programs with random formulas, checked by SPIN and by weave.
//!
//! SPIN is asked without its reductions: `spin -o1 -o2 -o3 -a`, compiled with `-DNOREDUCE`,
//! `pan -a`. The programs have no assertions and no accept labels, so an error is a run that breaks
//! the formula. Formulas have no X, which SPIN's Debian package lacks; those are compared with
//! brute force in `crates/workbench/tests`. Every other seed asks weave for `--raw`.

use crate::generate::rng::Rng;
use crate::generate::{self, features::Feature, features::Features};
use crate::process::{self, Limits};
use crate::program::{Decl, Program, Type};
use crate::scratch::Scratch;
use crate::shrink::shrink;
use crate::spin::Compiler;
use crate::weave::Weave;
use serde_json::Value;
use std::{collections::BTreeMap, fs, io, ops::Range, path::Path, time::Duration};

/// What one tool says of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    Holds,
    Violated,
    /// No answer, and why.
    Nothing(String),
}

/// Checks every seed; prints what differs. True if nothing does.
pub fn run(seeds: Range<u64>, weave: &Weave, patience: usize) -> io::Result<bool> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut different = Vec::new();
    for seed in seeds {
        let (program, formula) = subject(seed);
        let label = match compare(&program, &formula, seed, weave)? {
            Ok(says) => format!("{says:?}"),
            Err((spin, ours))
                if matches!(spin, Says::Nothing(_))
                    || matches!(&ours, Says::Nothing(why) if why == "limit") =>
            {
                "no oracle".to_string()
            }
            Err((spin, ours)) => {
                report(seed, (&program, &formula), (&spin, &ours), weave, patience)?;
                different.push(seed);
                "different".to_string()
            }
        };
        *counts.entry(label).or_default() += 1;
    }
    counts.iter().for_each(|(label, count)| println!("{count:6} {label}"));
    if !different.is_empty() {
        println!("seeds that differ: {different:?}");
    }
    Ok(different.is_empty())
}

fn report(
    seed: u64,
    (program, formula): (&Program, &str),
    (spin, ours): (&Says, &Says),
    weave: &Weave,
    patience: usize,
) -> io::Result<()> {
    println!("seed {seed} differs: SPIN says {spin:?}, weave {ours:?}");
    let still = |candidate: &Program| match compare(candidate, formula, seed, weave) {
        Ok(Err((s, o))) => s == *spin && o == *ours,
        _ => false,
    };
    println!("{}", text(&shrink(program, patience, still), formula));
    Ok(())
}

/// The program and the formula of a seed.
fn subject(seed: u64) -> (Program, String) {
    // SPIN counts the claim as a process.
    let unwanted = [Feature::Assert, Feature::Hidden, Feature::Population];
    let all = Feature::ALL.iter().copied().filter(|f| Features::default().has(*f) && !unwanted.contains(f));
    let program = generate::program(seed, Features::of(all));
    let mut rng = Rng::new(seed ^ 0x5eed);
    let atoms: Vec<String> = program.globals.iter().filter_map(|g| atom(g, &mut rng)).collect();
    let formula = formula(&mut rng, &atoms, 4);
    (program, formula)
}

/// A comparison of a plain global variable.
fn atom(global: &Decl, rng: &mut Rng) -> Option<String> {
    let most = match global.ty {
        Type::Bit | Type::Bool => 1,
        Type::Byte | Type::Short | Type::Int | Type::Unsigned(_) => 3,
        _ => return None,
    };
    let plain = global.size.is_none() && !global.hidden;
    let operator = ["==", "!=", "<", ">="][rng.below(4)];
    plain.then(|| format!("({} {operator} {})", global.name, rng.below(most + 1)))
}

fn formula(rng: &mut Rng, atoms: &[String], depth: usize) -> String {
    if depth == 0 || rng.chance(20) {
        return match atoms.len() {
            0 => "true".to_string(),
            many => atoms[rng.below(many)].clone(),
        };
    }
    let below = |rng: &mut Rng| formula(rng, atoms, depth - 1);
    match rng.below(10) {
        0 => format!("(! {})", below(rng)),
        1 | 2 => format!("([] {})", below(rng)),
        3 | 4 => format!("(<> {})", below(rng)),
        k => {
            let operator = ["&&", "||", "->", "U", "V"][k - 5];
            let left = below(rng);
            format!("({left} {operator} {})", below(rng))
        }
    }
}

fn text(program: &Program, formula: &str) -> String {
    format!("{program}\nltl p {{ {formula} }}\n")
}

/// What both say, or where they differ.
fn compare(
    program: &Program,
    formula: &str,
    seed: u64,
    weave: &Weave,
) -> io::Result<Result<Says, (Says, Says)>> {
    let scratch = Scratch::new("ltl")?;
    let text = text(program, formula);
    fs::write(scratch.path().join("model.pml"), text)?;
    let spin = ask_spin(scratch.path())?;
    if matches!(spin, Says::Nothing(_)) {
        return Ok(Err((spin.clone(), spin)));
    }
    let ours = ask_weave(scratch.path(), weave, seed.is_multiple_of(2))?;
    Ok(if spin == ours { Ok(spin) } else { Err((spin, ours)) })
}

fn ask_spin(folder: &Path) -> io::Result<Says> {
    let limits = Limits { time: Duration::from_secs(10), memory_mb: 2000 };
    let nothing = |why: &str| Ok(Says::Nothing(why.to_string()));
    process::run("spin", &["-o1", "-o2", "-o3", "-a", "model.pml"], folder, limits)?;
    if !folder.join("pan.c").exists() {
        return nothing("refused");
    }
    let compiler = if Compiler::quickest() == Compiler::Tcc { "tcc" } else { "gcc" };
    let flags = ["-w", "-DNOREDUCE", "-DVECTORSZ=8192", "-DMEMLIM=1000", "-o", "pan", "pan.c"];
    if process::run(compiler, &flags, folder, limits)?.code != 0 {
        return nothing("not compiled");
    }
    let pan = process::run("./pan", &["-a", "-n", "-m100000", "-w18"], folder, limits)?;
    let complete = !["max search depth too small", "out of memory"].iter().any(|m| pan.stdout.contains(m));
    let breaks = ["acceptance cycle", "claim violated", "accept stutter"];
    let violated = breaks.iter().any(|mark| pan.stdout.contains(mark));
    match () {
        () if violated => Ok(Says::Violated),
        () if pan.stdout.contains("errors: 0") && complete && !pan.timed_out() => Ok(Says::Holds),
        () => nothing("cut short"),
    }
}

fn ask_weave(folder: &Path, weave: &Weave, raw: bool) -> io::Result<Says> {
    let limits = Limits { time: weave.time, memory_mb: weave.memory_mb };
    let mut arguments = vec!["check", "--json", "--property", "p", "--max-states", "300000", "model.pml"];
    if raw {
        arguments.push("--raw");
    }
    let finished = process::run(&weave.binary.to_string_lossy(), &arguments, folder, limits)?;
    let last = finished.stdout.lines().next_back().unwrap_or("");
    let result = serde_json::from_str::<Value>(last).unwrap_or(Value::Null);
    let property = result["properties"].as_array().and_then(|all| all.iter().find(|p| p["name"] == "p"));
    Ok(match property.and_then(|p| p["verdict"].as_str()) {
        Some("holds") => Says::Holds,
        Some("violated") => Says::Violated,
        Some(_) if last.contains("limit of") => Says::Nothing("limit".to_string()),
        _ => Says::Nothing(format!("exit code {}: {last} {}", finished.code, finished.stderr)),
    })
}
