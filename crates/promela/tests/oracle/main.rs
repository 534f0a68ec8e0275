//! The oracle of the lowering: a direct interpreter of the checked statement tree, which knows
//! nothing of control flow graphs, automata, systems or steppers, must reach the same values as the
//! reference stepper on the lowered system.
//!
//! * `tree`: where a process can stand, and what follows what. `values`: variables, channels,
//!   expressions. `moves`: statements.
//! * Here: everything reachable on both sides, and the comparison.
//!
//! Compared are the values of all variables and channels over all visible states (those in which
//! control is free), those of them that are deadlocks, and the kinds of faults. Control states
//! are not: SPIN has finer ones in places. Left out is what asks for them (`_last`, `np_`,
//! `pc_value`), and what SPIN orders by the numbers of its states: `else` at the beginning of an
//! escape (tried first), and nested `unless` at the beginning of a block or option (both escapes
//! count as one there, the inner first; elsewhere the outer goes first).

mod moves;
mod tree;
mod values;

use promela::model::{Block, Model, ProcessKind, Statement, StatementKind, Step};
use source::SourceMap;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use system::{Reference, System, Value};
use values::World;
use xtask::generate::features::Features;

/// What can be seen of a model.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    values: BTreeSet<Vec<i64>>,
    deadlocks: BTreeSet<Vec<i64>>,
    faults: BTreeSet<String>,
}

/// Marks in a row of values where a channel or a process begins.
const CHANNEL: i64 = i64::MIN;
const PROCESS: i64 = i64::MAX;

fn seen_by_tree(model: &Model, limit: usize) -> Option<Seen> {
    let world = World::of(model);
    let mut seen = Seen::default();
    let initial = match world.initial() {
        Ok(initial) => initial,
        Err(wrong) => {
            seen.faults.insert(wrong.to_string());
            return Some(seen);
        }
    };
    let mut known = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    while let Some(state) = queue.pop_front() {
        if known.len() > limit {
            return None;
        }
        let moves = world.moves(&state);
        if state.control.is_none() {
            let row = row_of_tree(&state);
            if moves.is_empty() && !world.may_rest(&state) {
                seen.deadlocks.insert(row.clone());
            }
            seen.values.insert(row);
        }
        for outcome in moves {
            seen.faults.extend(outcome.wrong.map(str::to_string));
            queue.extend(outcome.state.filter(|next| known.insert(next.clone())));
        }
    }
    Some(seen)
}

fn row_of_tree(state: &values::State) -> Vec<i64> {
    let mut row: Vec<i64> = state.globals.iter().flatten().copied().collect();
    for channel in &state.channels {
        row.push(CHANNEL);
        row.extend(channel.messages.iter().flatten());
    }
    for process in &state.processes {
        row.extend([PROCESS, process.kind as i64]);
        row.extend(process.locals.iter().flatten());
    }
    row
}

fn seen_by_reference(system: &System, kinds: &[i64], limit: usize) -> Option<Seen> {
    let reference = Reference::new(system);
    let mut seen = Seen::default();
    let initial = match reference.initial() {
        Ok(initial) => initial,
        Err(fault) => {
            seen.faults.insert(format!("{fault:?}"));
            return Some(seen);
        }
    };
    let mut known = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    while let Some(state) = queue.pop_front() {
        if known.len() > limit {
            return None;
        }
        let moves = reference.moves(&state);
        if state.control.is_none() {
            let row = row_of_system(system, kinds, &state);
            if moves.is_empty() && !state.is_valid_end(system) {
                seen.deadlocks.insert(row.clone());
            }
            seen.values.insert(row);
        }
        for step in moves {
            seen.faults.extend(step.fault.map(|fault| format!("{fault:?}")));
            queue.extend(
                step.next.map(|s| system::State { last: 0, ..s }).filter(|s| known.insert(s.clone())),
            );
        }
    }
    Some(seen)
}

fn row_of_system(system: &System, kinds: &[i64], state: &system::State) -> Vec<i64> {
    let mut row = Vec::new();
    let variables = |values: &[Value], row: &mut Vec<i64>| {
        values.iter().filter(|v| !matches!(v, Value::Channel(_))).for_each(|v| scalars(v, row));
    };
    variables(&state.globals, &mut row);
    for (owner, object) in state.channels(system) {
        let value = match owner {
            None => &state.globals[object],
            Some(pid) => &state.processes[pid].objects[object],
        };
        row.push(CHANNEL);
        scalars(value, &mut row);
    }
    for process in &state.processes {
        row.extend([PROCESS, kinds[process.process_type]]);
        variables(&process.objects, &mut row);
    }
    row
}

fn scalars(value: &Value, row: &mut Vec<i64>) {
    match value {
        Value::Int(int) => row.push(i64::try_from(int).unwrap()),
        Value::Parts(parts) => parts.iter().for_each(|part| scalars(part, row)),
        Value::Channel(messages) => row.extend(messages.iter().flatten().map(|i| i64::try_from(i).unwrap())),
    }
}

/// What came of comparing a model.
enum Compared {
    LeftOut,
    TooLarge,
    Same,
    Differs(String),
}

fn compare(model: &Model, name: &str, limit: usize) -> Compared {
    if is_left_out(model) {
        return Compared::LeftOut;
    }
    let system = promela::lower::lower(model, name);
    let is_process = |kind| matches!(kind, ProcessKind::Proctype | ProcessKind::Init);
    let kinds = model.processes.iter().enumerate().filter(|(_, p)| is_process(p.kind));
    let kinds: Vec<i64> = kinds.map(|(id, _)| id as i64).collect();
    let Some(theirs) = seen_by_reference(&system, &kinds, limit) else { return Compared::TooLarge };
    let Some(ours) = seen_by_tree(model, 8 * limit) else {
        return Compared::Differs("the tree reaches far more".to_string());
    };
    if ours == theirs { Compared::Same } else { Compared::Differs(difference(&ours, &theirs)) }
}

fn difference(ours: &Seen, theirs: &Seen) -> String {
    let only = |a: &BTreeSet<Vec<i64>>, b: &BTreeSet<Vec<i64>>| {
        let rows: Vec<_> = a.difference(b).collect();
        format!("{} e.g. {:?}", rows.len(), rows.first())
    };
    format!(
        "faults {:?} by tree, {:?} by system\n  values by tree only {}\n  by system only {}\n  deadlocks by tree only {}\n  by system only {}",
        ours.faults,
        theirs.faults,
        only(&ours.values, &theirs.values),
        only(&theirs.values, &ours.values),
        only(&ours.deadlocks, &theirs.deadlocks),
        only(&theirs.deadlocks, &ours.deadlocks),
    )
}

/// What asks for control states of SPIN's, and what SPIN orders in its own way.
fn is_left_out(model: &Model) -> bool {
    // The debug form names every expression; a walk of our own would say no more.
    let text = format!("{:?}", model.processes);
    let asks = ["kind: Last,", "kind: NonProgress,", "kind: PcValue("].iter().any(|word| text.contains(word));
    asks || model.processes.iter().any(|p| has_else_escape(&p.body) || has_merged_escapes(&p.body, 0))
}

fn has_else_escape(block: &Block) -> bool {
    block.steps.iter().any(|step| match step {
        Step::Declare { .. } | Step::Exclusive { .. } => false,
        Step::Statement(statement) => blocks(statement).any(has_else_escape),
        Step::Unless { main, escape, .. } => {
            begins_with_else(escape) || [main, escape].iter().any(|s| blocks(s).any(has_else_escape))
        }
    })
}

/// Whether a block or option inside `depth` main parts of `unless` begins with another, so that two
/// escapes meet there.
fn has_merged_escapes(block: &Block, depth: usize) -> bool {
    let merged = |block: &Block, depth: usize| {
        let own = unless_at_start(block);
        own > 0 && own + depth > 1 || has_merged_escapes(block, depth)
    };
    block.steps.iter().any(|step| match step {
        Step::Declare { .. } | Step::Exclusive { .. } => false,
        Step::Statement(statement) => blocks(statement).any(|b| merged(b, depth)),
        Step::Unless { main, escape, .. } => {
            // A plain block is no more than the part itself.
            let part = |s: &Statement, depth: usize| match &s.kind {
                StatementKind::Block(b) => has_merged_escapes(b, depth),
                _ => blocks(s).any(|b| merged(b, depth)),
            };
            part(main, depth + 1) || part(escape, depth)
        }
    })
}

/// How many `unless`, one in the other, a block begins with.
fn unless_at_start(block: &Block) -> usize {
    let below = |s: &Statement| blocks(s).map(unless_at_start).max().unwrap_or(0);
    let first = block.steps.iter().find_map(|step| match step {
        Step::Declare { .. } | Step::Exclusive { .. } => None,
        Step::Statement(statement) => Some(below(statement)),
        Step::Unless { main, .. } => Some(1 + below(main)),
    });
    first.unwrap_or(0)
}

fn blocks(statement: &Statement) -> impl Iterator<Item = &Block> {
    match &statement.kind {
        StatementKind::If(options) | StatementKind::Do(options) => options.iter().collect::<Vec<_>>(),
        StatementKind::Atomic(b) | StatementKind::DStep(b) | StatementKind::Block(b) => vec![b],
        StatementKind::For(f) => vec![&f.body],
        StatementKind::ForMessages(f) => vec![&f.body],
        _ => Vec::new(),
    }
    .into_iter()
}

fn begins_with_else(statement: &Statement) -> bool {
    let first = |block: &Block| {
        block.steps.iter().find_map(|step| match step {
            Step::Statement(s) => Some(begins_with_else(s)),
            Step::Unless { main, .. } => Some(begins_with_else(main)),
            _ => None,
        })
    };
    matches!(statement.kind, StatementKind::Else) || blocks(statement).any(|b| first(b) == Some(true))
}

struct Disk;

impl promela::Files for Disk {
    fn read(&self, path: &str) -> Result<String, promela::Unreadable> {
        std::fs::read_to_string(path).map_err(|error| promela::Unreadable(error.to_string()))
    }
}

fn read(name: &str, text: &str) -> Option<Model> {
    let mut map = SourceMap::new();
    let root = map.add(name, text);
    promela::read(&mut map, root, &Disk, &[]).0
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "pml") {
            files.push(path);
        }
    }
}

/// Compares all texts; asserts that nothing differs and that enough was compared.
fn compare_all(texts: impl Iterator<Item = (String, String)>, limit: usize, at_least: usize) {
    let (mut same, mut left_out, mut too_large, mut differ) = (0, 0, 0, Vec::new());
    for (name, text) in texts {
        let Some(model) = read(&name, &text) else { continue };
        match compare(&model, &name, limit) {
            Compared::Same => same += 1,
            Compared::LeftOut => left_out += 1,
            Compared::TooLarge => too_large += 1,
            Compared::Differs(how) => differ.push(format!("{name}: {how}")),
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(same >= at_least, "only {same} compared ({left_out} left out, {too_large} too large)");
}

#[test]
fn tree_and_system_agree_on_the_corpus() {
    let mut files = Vec::new();
    add_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela"), &mut files);
    files.sort();
    let texts = files.iter().map(|f| (f.display().to_string(), std::fs::read_to_string(f).unwrap()));
    compare_all(texts, 2_000, 130);
}

#[test]
fn tree_and_system_agree_on_generated_programs() {
    for (features, count) in
        [("", 300), ("+priorities", 60), ("+d_step-block,+out-of-bounds,+odd-labels", 100)]
    {
        let features = Features::parse(features).unwrap();
        let text = |seed| {
            (format!("seed {seed} {features:?}"), xtask::generate::program(seed, features).to_string())
        };
        compare_all((0..count).map(text), 1_500, count as usize / 2);
    }
}

/// Where the lowering has to take care, one by one.
#[test]
fn tree_and_system_agree_on_traps() {
    let mut differ = Vec::new();
    for text in TRAPS {
        let Some(model) = read("trap", text) else {
            differ.push(format!("{text}\n  refused"));
            continue;
        };
        if let Compared::Differs(how) = compare(&model, "trap", 20_000) {
            differ.push(format!("{text}\n  {how}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

const TRAPS: &[&str] = &[
    // Initial values that depend on others.
    "byte g = 2; byte h = g + 1; byte a[2] = h; init { assert(h == 3 && a[1] == 3) }",
    "typedef R { byte x = 3; chan c = [1] of { byte }; byte y[2] = 4 } R r[2]; init { R s; s.c!s.x; r[1].c!r[1].y[1]; r[0].c?s.x }",
    // A break out of a loop that ends a d_step.
    "byte x, y; init { d_step { do :: x < 3 -> x++ :: break od } y = 7; y++ }",
    "byte x, y; init { d_step { do :: x < 3 -> x++ :: else -> break od } y = 7; y++ }",
    "byte x, y; init { d_step { do :: x == 3 -> break :: x < 3 -> x++ od; y = x } y++ }",
    "byte x, y; init { d_step { do :: break :: x++ od; y = x } y++ }",
    "byte x, y; init { d_step { do :: break :: x++ od; x == 5 } y++ }",
    "byte x, y; init { d_step { if :: x == 1 -> y = 1 :: goto out :: x == 0 fi; y = 2; out: y = y + 4 } y++ }",
    "byte x, y; init { do :: d_step { x < 3 -> x++; if :: x == 2 -> y = 5 :: else fi } :: x == 3 -> break od; d_step { skip; if :: x == 9 -> y = 1 fi } }",
    "byte x, y, i; init { d_step { for (i : 1 .. 3) { x = x + i } select (y : 2 .. 4) } assert(x == 6); assert(y == 2) }",
    "byte x, i; init { d_step { x = 1; select (i : x .. 3); x = i } }",
    "byte x, y; active proctype P() { d_step { if :: x == 1 -> y = 1 :: x == 2 -> y = 2 fi; y++ } d_step { do :: y < 9 -> y++ :: y == 9 && x == 3 -> break od } } active proctype Q() { x = 1; x = 2; x = 3 }",
    "chan c = [1] of { byte }; byte y; active proctype P() { d_step { if :: c?1 -> y = 1 :: c?2 -> y = 2 fi; y++ } } active proctype Q() { c!2; c!1 }",
    "chan c = [2] of { byte }; byte x; init { d_step { c!1; c!2; do :: c?x :: empty(c) -> break od } d_step { c?x; x = 9 } }",
    "chan c = [2] of { byte }; byte x; init { d_step { if :: c?x -> x = 1 :: c!3 -> x = 2 :: else -> x = 3 fi; x++ } }",
    "chan q = [0] of { byte }; byte x; active proctype A() { q!3; q!4 } active proctype B() { byte y; d_step { q?y; x = y; y = 0 } d_step { q?eval(4) ; x++ } }",
    "chan q = [0] of { byte }; byte x; active proctype A() { d_step { q!3; x = 1 } } active proctype B() { byte y; q?y }",
    // Atomic: last statements, ends in choices, jumps, hand-over.
    "byte x, y; active [2] proctype P() { atomic { if :: x == 0 -> x = 1 :: x == 1 -> y = 1 fi } y = y + 2; x = 0 }",
    "byte x, y; active [2] proctype P() { atomic { do :: x < 2 -> x++ :: else -> break od } atomic { y = x; x = 0 } y = 5 }",
    "byte x, y; active [2] proctype P() { atomic { x++; goto L; y = 9 } y = 1; L: atomic { y = x; x = 0 } }",
    "byte x, y; active [2] proctype P() { atomic { x++; goto L; y = 9 } y = 1; atomic { y++; L: y = x; x = 0 } }",
    "byte x, y; active [2] proctype P() { do :: atomic { x++; if :: x > 2 -> break :: else fi } y = x od; y++ }",
    "byte x, y; active [2] proctype P() { atomic { x++; { y = x; { x = y } } } y = 0; atomic { x--; atomic { y++; y-- } } }",
    "byte x, y; active [2] proctype P() { atomic { x++; y == 1; x-- } } active proctype Q() { y = 1; y = 0; x = x + 3; y = 1 }",
    "chan q = [0] of { byte }; byte x; active proctype A() { atomic { x = 1; q!1; x = 2; x = 3 } } active proctype B() { byte k; atomic { q?k; x = 4; k = x } x = k + 5 } active proctype C() { byte s; s = x; x = s + 10 }",
    "chan q = [0] of { byte }; byte x; active proctype A() { atomic { x = 1; q!1; x = 2; x = 3 } } active proctype B() { byte k; q?k; x = 4; k = x } active proctype C() { byte s; s = x; x = s + 10 }",
    "chan q = [0] of { byte }; byte x; active proctype A() { atomic { if :: q!1 :: q!2 fi } x = 2 } active proctype B() { byte k; if :: q?k :: q?eval(2) -> k = 7 fi; x = 4 } active proctype C() { if :: q?_ -> x = 9 :: x == 2 fi }",
    "chan q = [0] of { byte }, r = [0] of { byte }; byte x; active proctype A() { byte k; atomic { q!1; r?k; x = k } } active proctype B() { byte k; atomic { q?k; r!k + 1; x = x * 2 } } active proctype C() { x = x + 5 }",
    "byte x; active [2] proctype P() { bit l; atomic { l = 1; d_step { x++; x = x + l } } x--; atomic { d_step { x++; x++ } x-- } }",
    // Else.
    "byte x; init { do :: if :: x == 0 -> x = 1 :: else -> x = 2 fi :: x == 1 -> x = 3 :: x >= 2 -> break od }",
    "chan q = [0] of { byte }; byte x, y; active proctype A() { if :: q!1 -> x = 1 :: else -> x = 2 fi } active proctype B() { y = 1; if :: q?y :: else -> y = 5 fi }",
    "chan q = [1] of { byte }; byte x; active [2] proctype A() { do :: q!1 -> x++ :: else -> break od; if :: q?_ :: else -> x = 9 fi }",
    // Unless.
    "byte x, y; active proctype P() { { x = 1; x = 2; atomic { x = 3; x = 4 } d_step { x = 5; x = 6 } x = 7 } unless { y > 0 -> x = x + 10; x++ } } active proctype Q() { y = 1; y = 0; y = 2 }",
    "byte x, y; active proctype P() { { { x = 1; x = 2 } unless { y == 1 -> x = 30; x = 31 } x = 3 } unless { y == 2 -> x = 40 } } active proctype Q() { y = 1; y = 2; y = 0 }",
    "byte x, y; active proctype P() { do :: { x < 3 -> x++ } unless { y == 1 -> break } :: x == 2 -> x = 0 od; x = 9 } active proctype Q() { y = 1 }",
    "byte x, y; active proctype P() { atomic { { x = 1; y == 2; x = 3 } unless { y == 1 -> x = 5; x = 6 } } x = x + 10 } active proctype Q() { y = 1; y = 2 }",
    "byte x, y; active proctype P() { { skip; L: x++; if :: x < 4 -> goto L :: else fi } unless { y == 1 }; x = x + 10 } active proctype Q() { y = 1; y = 0 }",
    "chan q = [0] of { byte }, c = [1] of { byte }; byte x; active proctype P() { { x = 1; x = 2; c?x } unless { q?x; x = x + 10 } } active proctype Q() { if :: q!7 :: c!3 fi; q!8 }",
    "chan q = [0] of { byte }; byte x; active proctype P() { { x = 1; x = 2 } unless { q!1 -> x = 3 } } active proctype Q() { byte k; x == 1 -> q?k; x = x + 10 }",
    "byte x, c; active proctype P() { atomic { x = 1; { goto L } unless { c == 1 -> x = 5 }; x = 2 } x = 3; L: x = x + 10 } active proctype Q() { c = 1; c = 0 }",
    "byte x, c; active proctype P() { do :: atomic { x++; { break } unless { c == 1 -> x = 5 }; x = x + 2 } od; x = x + 10 } active proctype Q() { c = 1; c = 0 }",
    // Loops.
    "byte a[3], i, n; init { for (i in a) { a[i] = i + 1; if :: i == 1 -> break :: else fi } n = i; i = 3; for (i : i .. 1) { n = 99 } L: for (i : 0 .. 1) { n++ } if :: n < 8 -> goto L :: else fi }",
    "typedef M { byte a; bit b } chan c = [3] of { M }; M m; byte n; init { m.a = 1; c!m; m.a = 2; m.b = 1; c!m; for (m in c) { n = n * 2 + m.a; if :: n == 4 -> c!m :: else fi } }",
    "byte i, n = 3; init { select (i : 1 .. n); n = n + i; select (i : 0 .. 40); assert(i != 37) }",
    "byte i; proctype P(byte p) { byte j; for (j : 1 .. p) { i = i + j; if :: i == 3 -> run P(1) :: else fi } } init { run P(2); (_nr_pr == 1); i = 0 }",
    // Processes, channels, types.
    "byte n; proctype P(byte k; chan c) { chan own = [1] of { byte }; if :: k > 0 -> run P(k - 1, own); own?n :: else fi; c!k } init { chan mine = [1] of { byte }; run P(2, mine); mine?n; (_nr_pr == 1) }",
    "chan c; proctype P() { chan own = [1] of { byte }; c = own; own!3 } init { run P(); (_nr_pr == 1); c!4 }",
    "byte x; proctype P() provided (x < 3) { x++; x = x + 2 } init { run P(); run P(); (x > 2) -> x = 0; x = 1 }",
    "unsigned u : 3; short s = -3; bit b = 1; mtype = { red, green }; mtype m; chan c = [3] of { bit, short, mtype }; init { u = 9; s = s * 20000; b = 6; m = green; c!!3, s, red; c!!0, -1, m; c!!1, 5, green; c??1, s, m; c?[eval(b), _, _] -> c?<b, s, m>; u-- ; u = u - 7 }",
    "int i, j = -9; byte n = 33; init { i = 1 << n; j = j >> n; i = (i << 31) + (j >> 31); j = 2147483647 * 2 + 1; i = -j / 2; j = ~i; i = -7 % 3 }",
    "byte a[2], i = 1; chan c = [2] of { byte, byte }; init { a[i] = 1; c!i, 0; c?i, a[i]; a[1 - i] = 7; c!1, 5; c?i, a[i] }",
    "byte x; active proctype A() { end: do :: x == 1 -> x = 0 od } active proctype B() { x = 1; { byte l; end: x == 5 } } active proctype C() { do :: { endit: do :: x == 9 -> x = 8 od } od }",
    "byte x; active proctype A() { { end: do :: x == 0 -> x = 1; (x == 5) od } }",
    "byte x; active proctype A() { do :: x < 2 -> x++ :: timeout -> break od; timeout; x = 9 } active proctype B() { x == 9; !timeout; x = 10 }",
];
