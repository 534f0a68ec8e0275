//! Files against a simulator that shares nothing with this crate: random little programs of threads
//! or processes that write, read, make, remove, rename and list files, executed by `files.c` under
//! control and, here, by brute force. What they see must be the same in both, in all orders.
//!
//! The verdict must be about everything: the search is exhausted, and nothing uncontrolled.
//! `PROGRAMS` and `SEED` in the environment make it longer.

mod support;

use explore::stateless::{Bounds, Kind, Limits, Reduction};
use logic::random::Random;
use native::compile::build;
use native::execution::Options;
use native::explore::{Plan, explore};
use native::launch::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One system call, or one line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// At a position; at that of the description.
    Write(Handle, usize, u8),
    Print(usize, u8),
    Append(Handle, u8),
    Read(Handle),
    Scan(usize),
    Rewind(usize),
    Cut(usize),
    Size(usize),
    Make {
        name: u8,
        alone: bool,
    },
    Open {
        name: u8,
        makes: bool,
        cuts: bool,
        tells: bool,
    },
    Ask(u8),
    Unlink(u8),
    Rename(u8, u8),
    Link(u8, u8),
    List,
    Lock,
    Unlock,
}

/// A file that is open: in main, or by the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handle {
    Main(usize),
    Own,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    at: usize,
    own: Option<usize>,
    seen: String,
}

#[derive(Clone, Debug)]
struct Simulation {
    contents: Vec<Vec<u8>>,
    positions: [usize; 2],
    names: BTreeMap<u8, usize>,
    threads: Vec<Thread>,
    owner: Option<usize>,
}

impl Simulation {
    fn new(threads: usize) -> Simulation {
        Simulation {
            contents: vec![Vec::new(), Vec::new()],
            positions: [0, 0],
            names: BTreeMap::new(),
            threads: vec![Thread::default(); threads],
            owner: None,
        }
    }

    fn tell(&mut self, who: usize, what: &str) {
        self.threads[who].seen.push_str(what);
    }

    fn reported(&mut self, who: usize, yes: bool) {
        self.tell(who, if yes { "+" } else { "-" });
    }

    fn file(&self, who: usize, handle: Handle) -> Option<usize> {
        match handle {
            Handle::Main(file) => Some(file),
            Handle::Own => self.threads[who].own,
        }
    }

    fn put(&mut self, file: usize, at: usize, byte: u8) {
        let content = &mut self.contents[file];
        if content.len() <= at {
            content.resize(at + 1, 0);
        }
        content[at] = byte;
    }

    fn make(&mut self, name: u8) -> usize {
        self.contents.push(Vec::new());
        self.names.insert(name, self.contents.len() - 1);
        self.contents.len() - 1
    }

    /// As C prints it: up to the first zero.
    fn text(&self, file: usize) -> String {
        let bytes = self.contents[file].iter().take(7).take_while(|b| **b != 0);
        bytes.map(|b| *b as char).collect::<String>() + "."
    }

    fn list(&self) -> String {
        self.names.keys().map(|n| *n as char).collect::<String>() + "."
    }

    fn step(&mut self, who: usize, step: &Step) {
        match *step {
            Step::Write(handle, at, byte) => {
                if let Some(file) = self.file(who, handle) {
                    self.put(file, at, byte);
                }
            }
            Step::Append(handle, byte) => {
                if let Some(file) = self.file(who, handle) {
                    self.contents[file].push(byte);
                }
            }
            Step::Print(file, byte) => {
                self.put(file, self.positions[file], byte);
                self.positions[file] += 1;
            }
            Step::Read(handle) => {
                if let Some(file) = self.file(who, handle) {
                    self.tell(who, &self.text(file));
                }
            }
            Step::Scan(file) => {
                let byte = self.contents[file].get(self.positions[file]).copied();
                self.reported(who, byte.is_some());
                self.positions[file] += usize::from(byte.is_some());
                if let Some(byte) = byte.filter(|b| *b != 0) {
                    self.tell(who, &(byte as char).to_string());
                }
            }
            Step::Rewind(file) => self.positions[file] = 0,
            Step::Cut(file) => self.contents[file].clear(),
            Step::Size(file) => self.tell(who, &self.contents[file].len().to_string()),
            Step::Make { name, alone } => {
                let there = self.names.contains_key(&name);
                if alone {
                    self.reported(who, !there);
                }
                if !there {
                    self.make(name);
                }
            }
            Step::Open { name, makes, cuts, tells } => {
                let found = self.names.get(&name).copied();
                let own = if makes && found.is_none() { Some(self.make(name)) } else { found };
                if let Some(file) = own.filter(|_| cuts) {
                    self.contents[file].clear();
                }
                if tells {
                    self.reported(who, own.is_some());
                }
                self.threads[who].own = own;
            }
            Step::Ask(name) => self.reported(who, self.names.contains_key(&name)),
            Step::Unlink(name) => {
                let gone = self.names.remove(&name);
                self.reported(who, gone.is_some());
            }
            Step::Rename(from, to) => {
                let moved = self.names.get(&from).copied();
                // If both are one file, nothing happens.
                if let Some(file) = moved.filter(|file| self.names.get(&to) != Some(file)) {
                    self.names.remove(&from);
                    self.names.insert(to, file);
                }
                self.reported(who, moved.is_some());
            }
            Step::Link(from, to) => {
                let file = self.names.get(&from).copied().filter(|_| !self.names.contains_key(&to));
                if let Some(file) = file {
                    self.names.insert(to, file);
                }
                self.reported(who, file.is_some());
            }
            Step::List => self.tell(who, &self.list()),
            Step::Lock => self.owner = Some(who),
            Step::Unlock => self.owner = None,
        }
    }

    /// What main tells at the end.
    fn end(&self) -> String {
        let words: Vec<&str> = self.threads.iter().map(|t| t.seen.as_str()).collect();
        let mut last = self.text(0) + &self.text(1) + &self.list();
        for name in b"abc" {
            match self.names.get(name) {
                Some(file) => last += &format!("+{}", self.text(*file)),
                None => last += "-",
            }
        }
        format!("{} {last} ", words.join(" "))
    }
}

/// All orders of all steps.
fn brute(now: &Simulation, scripts: &[Vec<Step>], seen: &mut BTreeSet<String>, runs: &mut u64) {
    let mut over = true;
    for (who, script) in scripts.iter().enumerate() {
        let Some(step) = script.get(now.threads[who].at) else { continue };
        over = false;
        if *step == Step::Lock && now.owner.is_some() {
            continue;
        }
        let mut next = now.clone();
        next.threads[who].at += 1;
        next.step(who, step);
        brute(&next, scripts, seen, runs);
    }
    if over {
        *runs += 1;
        seen.insert(now.end());
    }
}

/// Programs with more are not looked at.
const MOST_RUNS: u64 = 30;

struct Chance(Random);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    fn of(&mut self, all: &[u8]) -> u8 {
        all[self.below(all.len() as u64) as usize]
    }
}

/// A statement of `files.c`, and its steps.
fn statement(chance: &mut Chance, kinds: &[u8], byte: u8) -> (String, Vec<Step>) {
    let (file, name, other) = (chance.below(2) as usize, chance.of(b"ab"), chance.of(b"bc"));
    let (f, n, c, to) = (file, name as char, byte as char, if other == name { b'c' } else { other });
    let at = chance.below(2) as usize;
    match chance.of(kinds) {
        b'w' => (format!("w{f}{at}{c}"), vec![Step::Write(Handle::Main(file), at, byte)]),
        b'r' => (format!("r{f}"), vec![Step::Read(Handle::Main(file))]),
        b'p' => (format!("p{f}{c}"), vec![Step::Print(file, byte)]),
        b'q' => (format!("q{f}"), vec![Step::Scan(file)]),
        b's' => (format!("s{f}"), vec![Step::Rewind(file)]),
        b'a' => (format!("a{f}{c}"), vec![Step::Append(Handle::Main(file), byte)]),
        b't' => (format!("t{f}"), vec![Step::Cut(file)]),
        b'z' => (format!("z{f}"), vec![Step::Size(file)]),
        b'x' => (format!("x{n}"), vec![Step::Make { name, alone: true }]),
        b'o' => (format!("o{n}"), vec![Step::Make { name, alone: false }]),
        b'e' => (format!("e{n}"), vec![Step::Ask(name)]),
        b'u' => (format!("u{n}"), vec![Step::Unlink(name)]),
        b'n' => (format!("n{n}{}", to as char), vec![Step::Rename(name, to)]),
        b'k' => (format!("k{n}{}", to as char), vec![Step::Link(name, to)]),
        b'l' => ("l".to_string(), vec![Step::List]),
        b'W' => {
            let open = Step::Open { name, makes: true, cuts: true, tells: false };
            (format!("W{n}{c}"), vec![open, Step::Write(Handle::Own, 0, byte)])
        }
        b'T' => {
            let open = Step::Open { name, makes: true, cuts: true, tells: false };
            (format!("T{n}"), vec![open])
        }
        b'F' => {
            let open = Step::Open { name, makes: true, cuts: false, tells: false };
            (format!("F{n}{c}"), vec![open, Step::Append(Handle::Own, byte)])
        }
        _ => {
            let open = Step::Open { name, makes: false, cuts: false, tells: true };
            (format!("R{n}"), vec![open, Step::Read(Handle::Own)])
        }
    }
}

fn script(chance: &mut Chance, kinds: &[u8], byte: u8) -> (String, Vec<Step>) {
    let (mut words, mut steps) = (String::new(), Vec::new());
    let locked = chance.below(3) == 0;
    if locked {
        words.push('L');
        steps.push(Step::Lock);
    }
    for _ in 0..1 + chance.below(3) {
        let (word, part) = statement(chance, kinds, byte);
        words += &word;
        steps.extend(part);
    }
    if locked {
        words.push('U');
        steps.push(Step::Unlock);
    }
    (words, steps)
}

/// Everything that was seen in some run.
fn observed(program: &Path, arguments: &[String], log: &Path) -> BTreeSet<String> {
    let _ = std::fs::remove_file(log);
    let plan = Plan {
        program: Program {
            path: program.to_path_buf(),
            arguments: arguments.iter().map(Into::into).collect(),
            trust: true,
            memory: 4 << 30,
            input: None,
            built: true,
        },
        reduction: Reduction::Dpor,
        bounds: Bounds {
            limits: Limits { depth: Some(10_000), ..Limits::default() },
            keep_going: true,
            ..Bounds::default()
        },
        options: Options {
            exit_matters: false,
            races_matter: false,
            spurious: 0,
            ordered: false,
            divergence: Duration::from_secs(20),
        },
        threads: 1,
        sampling: None,
        seed: 1,
    };
    let found = explore(&plan, &mut |_| true).unwrap_or_else(|t| panic!("{arguments:?}: {t}"));
    let report = &found.report;
    let about = (&found.trouble, &report.bounded, &found.uncontrolled, &found.assumes);
    assert!(report.exhausted && found.trouble.is_none(), "{arguments:?}: {about:?}");
    assert!(found.uncontrolled.is_empty() && report.bounded.is_none(), "{arguments:?}: {about:?}");
    assert_eq!(report.runs(), report.terminated, "{arguments:?}");
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().map(str::to_string).collect()
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// The program, instrumented; and as any compiler makes it.
fn programs(folder: &Path) -> (native::compile::Built, PathBuf) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files.c");
    let plain = folder.join("plain");
    let made = std::process::Command::new("cc")
        .args(["-O1", "-o"])
        .arg(&plain)
        .arg(&source)
        .arg("-lpthread")
        .status();
    assert!(made.is_ok_and(|s| s.success()));
    (build(&source, &[]).expect("a compiler").expect("a program"), plain)
}

#[test]
fn files_are_seen_as_a_simulator_sees_them() {
    const KINDS: [&[u8]; 7] = [b"wwrrz", b"pqqsrt", b"aarwz", b"xxueo", b"WRnk", b"FRWul", b"TWFo"];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    // Programs see the working folder wherever it lies.
    std::env::set_current_dir(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let (built, plain) = programs(&folder);
    let mut chance = Chance(Random::new(number("SEED", 1)));
    let (mut done, mut various) = (0, 0);
    while done < number("PROGRAMS", 30) {
        let kinds = KINDS[done as usize % KINDS.len()];
        let scripts: Vec<_> =
            (0..2 + chance.below(2)).map(|i| script(&mut chance, kinds, b'x' + i as u8)).collect();
        let (words, steps): (Vec<String>, Vec<Vec<Step>>) = scripts.into_iter().unzip();
        let (mut expected, mut runs) = (BTreeSet::new(), 0);
        if steps.iter().map(Vec::len).sum::<usize>() > 9 {
            continue;
        }
        brute(&Simulation::new(steps.len()), &steps, &mut expected, &mut runs);
        if runs > MOST_RUNS {
            continue;
        }
        let log = folder.join("seen");
        let processes = chance.below(3) == 0;
        let mut arguments = vec![if processes { "p" } else { "t" }.to_string()];
        arguments.push(log.to_string_lossy().to_string());
        arguments.extend(words);
        let program = if done % 2 == 0 { &built.program } else { &plain };
        let about = format!("program {done}, {program:?}: {}", arguments.join(" "));
        assert_eq!(observed(program, &arguments, &log), expected, "{about}");
        various += u64::from(expected.len() > 1);
        done += 1;
    }
    assert!(various * 3 > done, "too tame: {various} of {done}");
    let _ = std::fs::remove_dir_all(&folder);
}

/// One file under many names is one file.
#[test]
fn a_race_is_seen_under_every_name() {
    for way in 0..5 {
        let found = support::case("file_names.c", &[&format!("-DWAY={way}")]).explore();
        let kinds: Vec<Kind> = found.report.violations.iter().map(|v| v.failure.kind).collect();
        assert_eq!(kinds, [Kind::Assertion], "way {way}");
    }
}
