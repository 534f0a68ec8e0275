//! `xtask bench ltl`: our translation of formulas beside SPIN's, ltl2ba's and ltl3ba's.
//!
//! Each formula of `bench/ltl/` and its negation is given to each tool as an argument. All tools
//! print, and what they print is counted in the same way: in a never claim a state is a label, an
//! edge an option (or `skip`); in an HOA text a state is a `State:` line, an edge a line with a
//! label. A tool is compared with ours on the formulas that it can do within its time. Time is the
//! user time of one process for each formula, the start of the process included, all formulas of a
//! set in one go.

use crate::process::{self, Finished, Limits};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// What one formula may cost a tool.
const EACH: Limits = Limits { time: Duration::from_secs(2), memory_mb: 4000 };

/// What all formulas of a set may cost.
const TOGETHER: Limits = Limits { time: Duration::from_secs(600), memory_mb: 4000 };

/// A translator, and how it is called with a formula as last argument.
pub struct Tool {
    pub name: &'static str,
    pub program: PathBuf,
    pub arguments: &'static [&'static str],
    /// What it prints: HOA text, or a never claim.
    pub generalized: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    states: usize,
    edges: usize,
}

/// A line of the table: one tool on one set, and ours on the same formulas.
struct Line {
    set: String,
    tool: &'static str,
    kind: &'static str,
    formulas: usize,
    theirs: Size,
    ours: Size,
    their_seconds: f64,
    our_seconds: f64,
}

/// The tools there are; SPIN is found on the search path.
pub fn tools(ltl2ba: Option<PathBuf>, ltl3ba: Option<PathBuf>) -> Vec<Tool> {
    let spin = process::installed("spin").then(|| PathBuf::from("spin"));
    let tool = |name, program: &Option<PathBuf>, arguments, generalized| {
        program.clone().map(|program| Tool { name, program, arguments, generalized })
    };
    [
        tool("ltl2ba", &ltl2ba, &["-f"][..], false),
        tool("ltl3ba", &ltl3ba, &["-f"], false),
        tool("ltl3ba", &ltl3ba, &["-H2", "-f"], true),
        tool("spin", &spin, &["-f"], false),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Builds our translator.
pub fn build() -> io::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments =
        ["build", "--release", "--quiet", "--package", "everyweave-logic", "--example", "ltl2never"];
    if !std::process::Command::new(cargo).args(arguments).status()?.success() {
        return Err(io::Error::other("the example ltl2never could not be built"));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    target.join("release/examples/ltl2never").canonicalize()
}

/// Prints one line for each tool and set, and the totals; writes them as CSV. True if our automata
/// are nowhere larger in total than ltl3ba's, and our time not longer than ltl2ba's.
pub fn run(folder: &Path, tools: &[Tool], csv: &Path) -> io::Result<bool> {
    let translator = build()?;
    let ours = |generalized| Tool {
        name: "ours",
        program: translator.clone(),
        arguments: if generalized { &["--hoa"] } else { &[] },
        generalized,
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ltl"));
    files.sort();
    let mut lines = Vec::new();
    for tool in tools {
        let first = lines.len();
        for file in &files {
            let line = compare(tool, &ours(tool.generalized), file)?;
            println!("{}", line.text());
            lines.push(line);
        }
        let total = total(&lines[first..]);
        println!("{}", total.text());
        lines.push(total);
    }
    fs::write(csv, lines.iter().fold(String::from(HEAD), |text, line| text + &line.csv()))?;
    let good = |line: &Line| match line.tool {
        "ltl3ba" => line.ours.sum() <= line.theirs.sum(),
        "ltl2ba" => line.our_seconds <= line.their_seconds,
        _ => true,
    };
    Ok(lines.iter().filter(|line| line.set == TOTAL).all(good))
}

fn compare(tool: &Tool, ours: &Tool, file: &Path) -> io::Result<Line> {
    let mut line = Line {
        set: file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned()),
        tool: tool.name,
        kind: if tool.generalized { "TGBA" } else { "BA" },
        formulas: 0,
        theirs: Size::default(),
        ours: Size::default(),
        their_seconds: 0.0,
        our_seconds: 0.0,
    };
    let mut done = Vec::new();
    for formula in formulas(&fs::read_to_string(file)?) {
        let Some(theirs) = tool.size(&formula)? else {
            continue;
        };
        let Some(size) = ours.size(&formula)? else {
            return Err(io::Error::other(format!("our translator fails on {formula}")));
        };
        line.theirs = line.theirs.plus(theirs);
        line.ours = line.ours.plus(size);
        done.push(formula);
    }
    line.formulas = done.len();
    line.their_seconds = tool.seconds(&done)?;
    line.our_seconds = ours.seconds(&done)?;
    Ok(line)
}

/// Each formula of a text, and its negation.
fn formulas(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.flat_map(|formula| [formula.to_owned(), format!("!({formula})")]).collect()
}

impl Tool {
    fn program(&self) -> io::Result<String> {
        let program = self.program.to_str().ok_or_else(|| io::Error::other("a path that is no text"))?;
        Ok(program.to_owned())
    }

    /// The size of the automaton of a formula, unless the tool fails or takes too long.
    fn size(&self, formula: &str) -> io::Result<Option<Size>> {
        let arguments: Vec<&str> = self.arguments.iter().copied().chain([formula]).collect();
        let Finished { code, stdout, .. } = process::run(&self.program()?, &arguments, Path::new("."), EACH)?;
        let answered = stdout.contains(if self.generalized { "--END--" } else { "never" });
        Ok((code == 0 && answered).then(|| if self.generalized { hoa(&stdout) } else { never(&stdout) }))
    }

    /// The best of three times for all formulas, one process each.
    fn seconds(&self, formulas: &[String]) -> io::Result<f64> {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        let words = [self.program()?].into_iter().chain(self.arguments.iter().map(|&word| word.to_owned()));
        let command: Vec<String> = words.map(|word| quoted(&word)).collect();
        let script = formulas.iter().fold(String::new(), |mut script, formula| {
            let _ = writeln!(script, "{} {} >/dev/null", command.join(" "), quoted(formula));
            script
        });
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            best = best.min(process::run("sh", &["-c", &script], Path::new("."), TOGETHER)?.user_seconds);
        }
        Ok(best)
    }
}

/// A state is a label, an edge an option or `skip`.
fn never(text: &str) -> Size {
    let is_label = |line: &&str| {
        let name = line.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
        name.split_once(':').is_some_and(|(name, rest)| {
            !name.is_empty()
                && !rest.starts_with(':')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
    };
    let edges = text.matches("::").count() + text.lines().filter(|line| line.trim() == "skip").count();
    Size { states: text.lines().filter(is_label).count(), edges }
}

/// A state is a `State:` line, an edge a line that begins with a label.
fn hoa(text: &str) -> Size {
    let count = |start: &str| text.lines().filter(|line| line.trim_start().starts_with(start)).count();
    Size { states: count("State:"), edges: count("[") }
}

impl Size {
    fn plus(self, other: Size) -> Size {
        Size { states: self.states + other.states, edges: self.edges + other.edges }
    }

    fn sum(self) -> usize {
        self.states + self.edges
    }
}

const TOTAL: &str = "total";

const HEAD: &str =
    "set,tool,automata,formulas,their states,their edges,our states,our edges,their seconds,our seconds\n";

fn total(lines: &[Line]) -> Line {
    let sum = |f: fn(&Line) -> f64| lines.iter().map(f).sum();
    let size = |f: fn(&Line) -> Size| lines.iter().map(f).fold(Size::default(), Size::plus);
    Line {
        set: TOTAL.to_owned(),
        tool: lines.first().map_or("", |line| line.tool),
        kind: lines.first().map_or("", |line| line.kind),
        formulas: lines.iter().map(|line| line.formulas).sum(),
        theirs: size(|line| line.theirs),
        ours: size(|line| line.ours),
        their_seconds: sum(|line| line.their_seconds),
        our_seconds: sum(|line| line.our_seconds),
    }
}

impl Line {
    fn text(&self) -> String {
        let Line { set, tool, kind, formulas, theirs, ours, their_seconds, our_seconds } = self;
        format!(
            "{set:18} {tool:7} {kind:4} {formulas:4}  {:6}+{:<6} ours {:6}+{:<6}  {their_seconds:8.3} s  ours {our_seconds:8.3} s",
            theirs.states, theirs.edges, ours.states, ours.edges
        )
    }

    fn csv(&self) -> String {
        let Line { set, tool, kind, formulas, theirs, ours, their_seconds, our_seconds } = self;
        format!(
            "{set},{tool},{kind},{formulas},{},{},{},{},{their_seconds:.3},{our_seconds:.3}\n",
            theirs.states, theirs.edges, ours.states, ours.edges
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_edges_are_counted_alike() {
        let claim = "never {    /* a :note */\nT0_init:\n\tdo\n\t:: (p) -> goto accept_all\n\t:: (1) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}\n";
        assert_eq!(never(claim), Size { states: 2, edges: 3 });
        let text = "HOA: v1\nStates: 2\n--BODY--\nState: 0\n[0] 0\n [!0] 1 {0}\nState: 1\n[t] 1\n--END--\n";
        assert_eq!(hoa(text), Size { states: 2, edges: 3 });
    }

    #[test]
    fn a_set_has_each_formula_and_its_negation() {
        assert_eq!(formulas("# of another tool\n\n[]p\n"), ["[]p", "!([]p)"]);
    }
}
