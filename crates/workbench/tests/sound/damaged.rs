//! Damaged runs of fair transition systems: violations that `weave check` shows of the corpus,
//! changed in one place. The judge accepts exactly those that are violations by other code: the
//! compiled stepper, its requirements, the monitor of a formula.

use certify::{Asked, violates};
use compile::relation::{Asked as Wanted, Relation};
use logic::automata::closure_monitor;
use logic::fol::{Term, Value};
use logic::ltl::{Formula, Lasso, semantics};
use space::{Edges, Ending, Fairness, Observer, Run, Start, Step, Stepper};
use std::collections::BTreeSet;
use std::path::Path;
use system::Meaning;
use system::fts::step::Valuation;
use system::fts::{Fts, Reference};
use workbench::answer::Kind;
use workbench::job::Interrupt;
use workbench::prove::Source;
use workbench::question::{Define, Engine, Limits, Question};
use workbench::report;

#[path = "../../../../models/head.rs"]
pub mod head;

/// A formula of a system, and how fair its runs must be.
struct Case<'a> {
    fts: &'a Fts,
    given: &'a Valuation,
    fairness: Fairness,
    formula: Formula<usize>,
    atoms: Vec<Term>,
}

/// A run as packed states: what each asks for, and what each step meets.
struct Walked {
    states: Vec<Vec<u8>>,
    asks: Vec<Vec<u64>>,
    meets: Vec<Vec<u64>>,
}

impl Case<'_> {
    fn accepts(&self, run: &Run) -> bool {
        let Case { fts, given, fairness, atoms, .. } = self;
        let reference = Reference { fts, given, fairness: *fairness, atoms, first: None };
        let meaning = Meaning::Always(self.formula.clone());
        violates(&reference, Asked { meaning: &meaning, ends: true }, run).is_ok()
    }

    fn relation(&self) -> Relation {
        let wanted = Wanted { atoms: &self.atoms, invariants: &[], fairness: self.fairness };
        Relation::new(self.fts, self.given, &wanted)
    }

    fn walked(&self, relation: &mut Relation, run: &Run) -> Option<Walked> {
        let expanded = |relation: &mut Relation, state: &[u8]| {
            let mut out = Edges { wants_fairness: true, ..Edges::default() };
            relation.expand(state, &mut out);
            out.undefined.is_none().then_some(out)
        };
        let mut out = Edges::default();
        relation.initial(&mut out);
        let Start::Number(number) = run.start else { return None };
        let first = (number < out.len()).then(|| out.get(number).to_vec())?;
        let mut walked = Walked { states: vec![first], asks: Vec::new(), meets: Vec::new() };
        for step in &run.steps {
            let from = walked.states.last()?.clone();
            let out = expanded(relation, &from)?;
            walked.asks.push(out.asks.clone());
            match step.path[..] {
                [] => walked.meets.push(vec![0; out.words]),
                [k] if k < out.len() => walked.meets.push(out.met(k).to_vec()),
                _ => return None,
            }
            walked.states.push(step.path.first().map_or(from, |k| out.get(*k).to_vec()));
        }
        let last = expanded(relation, walked.states.last()?);
        walked.asks.extend(last.map(|out| out.asks));
        Some(walked)
    }

    /// Whether a run is a violation, by other code than the judge's; and whether it is one if it
    /// goes on idling.
    fn really(&self, run: &Run) -> Option<(bool, bool)> {
        let mut relation = self.relation();
        let no = Some((false, false));
        let Some(walked) = self.walked(&mut relation, run) else { return no };
        let letters: Result<Vec<u64>, _> = walked.states.iter().map(|s| relation.observe(s)).collect();
        let Ok(letters) = letters else { return no };
        let last = run.steps.len();
        match run.ending {
            Ending::Prefix => {
                let monitor = closure_monitor(&self.formula).ok()?;
                let at = letters.iter().fold(monitor.initial, |at, letter| monitor.next(at, *letter));
                let idling = monitor.states.iter().fold(at, |at, _| monitor.next(at, letters[last]));
                Some((Some(at) == monitor.sink, Some(idling) == monitor.sink))
            }
            Ending::Lasso { loop_start } if loop_start <= last => {
                let end = last.max(loop_start + 1);
                let word = Lasso::new(letters[..loop_start].to_vec(), letters[loop_start..end].to_vec());
                let closes = walked.states[loop_start] == walked.states[last];
                let fair = closes && is_fair(&relation, &walked, loop_start, end);
                let broken = fair && !semantics::satisfies(&word, &self.formula);
                Some((broken, broken))
            }
            _ => no,
        }
    }
}

fn is_fair(relation: &Relation, walked: &Walked, start: usize, end: usize) -> bool {
    let bit = |row: &Vec<u64>, r: usize| row[r / 64] >> (r % 64) & 1 == 1;
    let asks = walked.asks.get(start..end).unwrap_or_default();
    assert!(
        asks.len() == end - start || relation.requirements().is_empty(),
        "what is asked for is not known"
    );
    let meets = walked.meets.get(start..).unwrap_or_default();
    relation.requirements().iter().enumerate().all(|(r, requirement)| {
        let met = meets.iter().any(|row| bit(row, r));
        let asked = match requirement.strength {
            Fairness::None => false,
            Fairness::Weak => asks.iter().all(|row| bit(row, r)),
            Fairness::Strong => asks.iter().any(|row| bit(row, r)),
        };
        met || !asked
    })
}

/// Whether the head of a file says that something of it is violated.
pub fn is_violated(text: &str) -> bool {
    head::Head::of(text).expected().iter().any(|(_, verdict)| *verdict == "violated")
}

/// Runs that differ from one in one place: at five of its steps, at its end.
pub fn damaged(run: &Run, changed: impl Fn(&Step) -> Vec<Step>) -> Vec<Run> {
    let mut all = Vec::new();
    let with = |steps: Vec<Step>| Run { steps, ..run.clone() };
    let last = run.steps.len();
    let places: BTreeSet<usize> = (0..5).map(|k| k * last.saturating_sub(1) / 4).collect();
    for at in places.into_iter().filter(|at| *at < last) {
        let (before, after) = (&run.steps[..at], &run.steps[at + 1..]);
        all.push(with([before, after].concat()));
        all.push(with([before, &run.steps[at..=at], &run.steps[at..=at], after].concat()));
        let others = changed(&run.steps[at]).into_iter();
        all.extend(others.map(|step| with([before, &[step], after].concat())));
    }
    let starts = match run.ending {
        Ending::Lasso { loop_start } => vec![loop_start.wrapping_sub(1), loop_start + 1, last, last + 1],
        _ => vec![0, last],
    };
    let loops = starts.into_iter().map(|loop_start| Ending::Lasso { loop_start });
    let others = [Ending::Prefix, Ending::Open, Ending::Deadlock, Ending::Blocked { actor: 0 }];
    let endings = loops.chain(others).filter(|ending| *ending != run.ending);
    all.extend(endings.map(|ending| Run { ending, ..run.clone() }));
    all
}

/// Another number, and idling.
fn others(step: &Step) -> Vec<Step> {
    let number = step.path.first().copied();
    let other = [Some(0), number.map(|n| n + 1), number.map(|n| n + 1000), None];
    let other = other.into_iter().filter(|n| *n != number);
    let mut steps: Vec<Step> = other.map(|n| Step { path: Vec::from_iter(n), ..step.clone() }).collect();
    steps.push(Step { path: step.path.iter().copied().chain([0, 0]).collect(), ..step.clone() });
    steps
}

#[derive(Debug, Default)]
struct Tally {
    runs: usize,
    loops: usize,
    refused: usize,
    accepted: usize,
}

fn defines(text: &str) -> Vec<Define> {
    let words: Vec<&str> = text.lines().take(6).flat_map(str::split_whitespace).collect();
    let pairs = words.windows(2).filter(|pair| pair[0] == "-D").filter_map(|pair| pair[1].split_once('='));
    pairs.map(|(name, value)| Define { name: name.into(), value: Some(value.into()) }).collect()
}

/// None where something else than a number is given.
fn given(defines: &[Define]) -> Option<Valuation> {
    let value =
        |d: &Define| Some((d.name.as_str().into(), Value::int(d.value.as_ref()?.parse::<i64>().ok()?)));
    defines.iter().map(value).collect()
}

/// Damages every run that an engine shows of a program.
fn compare(path: &Path, engine: Engine, fairness: Fairness, tally: &mut Tally) {
    let name = path.display();
    let Ok(mut source) = Source::read(&[path.to_path_buf()], &[]) else { return };
    source.defines = defines(&std::fs::read_to_string(path).unwrap());
    let Some(given) = given(&source.defines) else { return };
    let limits = Limits { states: Some(2_000), ..Limits::default() };
    let question =
        Question { engine, keep_going: true, fairness: Some(fairness), limits, ..Question::default() };
    let answer = workbench::transition::check(&source, &question, &Interrupt::default(), &mut |_| {});
    let Ok(answer) = answer else { return };
    for violation in answer.violations.iter().filter(|v| v.kind == Kind::Ltl) {
        let property = source.fts.properties.iter().find(|p| p.name == violation.property).unwrap();
        if !property.rigid.is_empty() {
            continue;
        }
        let (formula, atoms) = property.formula.clone().numbered();
        let case = Case { fts: &source.fts, given: &given, fairness, formula, atoms };
        let ending = match violation.recording.ending {
            report::Ending::Lasso { loop_start } => Ending::Lasso { loop_start },
            _ => Ending::Prefix,
        };
        let (start, steps) = (violation.recording.start.clone(), violation.recording.steps.clone());
        let run = Run { start, steps, ending };
        assert!(case.accepts(&run), "{name}, {}: {run:?}", property.name);
        assert_eq!(case.really(&run), Some((true, true)), "{name}, {}: {run:?}", property.name);
        tally.runs += 1;
        tally.loops += usize::from(ending != Ending::Prefix);
        let elsewhere = Run { start: Start::Number(1_000), ..run.clone() };
        for run in damaged(&run, others).into_iter().chain([elsewhere]) {
            let Some((must, may)) = case.really(&run) else { continue };
            let accepted = case.accepts(&run);
            assert!((must..=may).contains(&accepted), "{name}, {}: {accepted}, {run:?}", property.name);
            *(if accepted { &mut tally.accepted } else { &mut tally.refused }) += 1;
        }
    }
}

/// Programs whose runs the other engine finds quickly.
const SYMBOLIC: [&str; 6] = [
    "counter_race.spl",
    "flags_wrong.spl",
    "justice.fts",
    "mux_sem_just.spl",
    "test_and_set_starves.spl",
    "turn.spl",
];

#[test]
fn damaged_runs_of_programs_are_refused_or_violations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/spl");
    let mut tally = Tally::default();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| is_violated(&std::fs::read_to_string(path).unwrap()));
    files.sort();
    for path in &files {
        compare(path, Engine::Search, Fairness::Strong, &mut tally);
        compare(path, Engine::Search, Fairness::None, &mut tally);
        if SYMBOLIC.iter().any(|name| path.ends_with(name)) {
            compare(path, Engine::Symbolic, Fairness::Weak, &mut tally);
        }
    }
    assert!(tally.runs >= 88 && tally.loops >= 34, "{tally:?}");
    assert!(tally.refused >= 2_072 && tally.accepted >= 351, "{tally:?}");
}
