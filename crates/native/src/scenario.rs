//! A recorded run, executed again: each step checked against the record, and told with its place in the source.
//!
//! This is also what stands behind every counterexample: it is shown only if the same schedule, in a new process, fails again
//! in the same way.

use crate::execution::{Execution, Known, Options, Spot};
use crate::launch::Program;
use crate::operation::{Class, Key, Op, Outcome, RELOCK, Tid};
use crate::protocol as p;
use crate::report::{Failure, Kind, Trouble};
use crate::search::{Semantics, World};
use crate::symbols::{Place, Symbols};
use std::path::Path;

/// A step of a record: who, with which outcome, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub who: Tid,
    pub outcome: Outcome,
    pub operation: String,
}

/// A step for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    pub who: Tid,
    pub process: u64,
    pub outcome: Outcome,
    pub operation: String,
    /// On what, and how.
    pub object: String,
    /// The program's own frames, innermost first.
    pub stack: Vec<Place>,
    /// What the program printed.
    pub output: String,
}

#[derive(Clone, Debug)]
pub struct Scenario {
    pub steps: Vec<Scene>,
    /// Who stands where at the end.
    pub waiting: Vec<Scene>,
    pub failure: Option<Failure>,
    /// What the program printed after the last step, or without any.
    pub printed: String,
}

/// Tells what a program does: names of places and objects, and what it printed since the last time.
pub struct Teller {
    symbols: Symbols,
    written: u64,
}

impl Teller {
    pub fn new(program: &Path, base: u64) -> Teller {
        Teller { symbols: Symbols::new(program, base), written: 0 }
    }

    /// The program begins anew.
    pub fn forget(&mut self) {
        self.written = 0;
    }

    pub fn output(&mut self, execution: &Execution) -> String {
        let new = execution.machine.output(self.written);
        self.written += new.len() as u64;
        String::from_utf8_lossy(&new).into_owned()
    }

    pub fn scene(&self, execution: &Execution, who: Tid, op: &Op, outcome: Outcome, output: String) -> Scene {
        let mut stack: Vec<Place> = op.stack.iter().flat_map(|pc| self.symbols.places(*pc)).collect();
        if stack.is_empty() {
            stack.extend(self.symbols.places(op.pc));
        }
        let object = match op.kind {
            p::OP_FILE => execution.machine.path(op.key.space),
            _ => describe(&self.symbols, op, outcome),
        };
        Scene { who, process: op.process, outcome, operation: op.name().to_string(), object, stack, output }
    }
}

impl Teller {
    /// Tells which accesses race: on what, whose, and where.
    pub fn explain(&self, execution: &Execution, failure: &mut Failure) {
        let Some(clash) = failure.race else { return };
        let one = |spot: &Spot, who: Tid| {
            let place = self.symbols.place(spot.pc);
            let at = place.map_or(format!("{:#x}", spot.pc), |p| {
                format!("{}:{} in {}", p.file.rsplit('/').next().unwrap_or(&p.file), p.line, p.function)
            });
            format!("{} by {} at {at}", spot.name(), execution.called(who))
        };
        let key = Key::new(Class::Memory, clash.space, clash.at);
        failure.message = format!(
            "on {}: {} and {}, in no order",
            memory(&self.symbols, &key),
            one(&clash.race.first, clash.threads[0]),
            one(&clash.race.second, clash.threads[1])
        );
    }
}

/// A variable, or its address.
fn memory(symbols: &Symbols, key: &Key) -> String {
    match key.space < 1 << 32 {
        true => symbols.variable(key.at).unwrap_or_else(|| format!("{:#x}", key.at)),
        false => format!("shared+{:#x}", key.at),
    }
}

/// Executes a record again.
pub fn replay(
    program: &Program,
    options: Options,
    known: &Known,
    record: &[Recorded],
) -> Result<Scenario, Trouble> {
    let mut execution = Execution::new(program, options, known.clone(), 0)?;
    perform(&mut execution, program, record)
}

/// Executes a record in a program that has just been started, and leaves it there.
pub(crate) fn perform(
    execution: &mut Execution,
    program: &Program,
    record: &[Recorded],
) -> Result<Scenario, Trouble> {
    execution.tells_stacks = true;
    let mut failure = execution.restart()?.failure;
    let mut teller = Teller::new(&program.path, execution.machine.base());
    let mut steps = Vec::new();
    let mut before = teller.output(execution);
    for (at, step) in record.iter().enumerate() {
        let pending = execution.pending();
        let op = pending.into_iter().find(|(who, _)| *who == step.who).map(|(_, op)| op);
        let op = op.filter(|op| op.name() == step.operation).ok_or(Trouble::Nondeterminism(at))?;
        if !execution.semantics().outcomes(step.who, &op).contains(&step.outcome) {
            return Err(Trouble::Nondeterminism(at));
        }
        let progress = execution.step(step.who, step.outcome)?;
        failure = Failure::first(failure, progress.failure);
        let output = std::mem::take(&mut before) + &teller.output(execution);
        steps.push(teller.scene(execution, step.who, &op, step.outcome, output));
    }
    let blocked = |(who, op): &(Tid, Op)| execution.semantics().outcomes(*who, op).is_empty();
    if failure.is_none() && execution.pending().iter().all(blocked) {
        failure = execution.ending().failure();
    }
    if let Some(failure) = &mut failure {
        teller.explain(execution, failure);
    }
    let waiting = execution.stuck();
    let waiting =
        waiting.iter().map(|(who, op)| teller.scene(execution, *who, op, 0, String::new())).collect();
    let printed = before + &teller.output(execution);
    Ok(Scenario { steps, waiting, failure, printed })
}

/// What an operation works on, in words.
fn describe(symbols: &Symbols, op: &Op, outcome: Outcome) -> String {
    let name = |key: &Key| match key.class {
        Class::Sysv => format!("set {}, semaphore {}", key.space, key.at),
        _ => memory(symbols, key),
    };
    match op.kind {
        p::OP_TOSS if op.behind.is_some() => if outcome == 1 { "yes" } else { "no" }.to_string(),
        p::OP_TOSS => format!("{outcome} of 0..{}", op.a),
        p::OP_SYSV_OP => {
            let one = |b: &crate::objects::Buffer| format!("{}{:+}", b.index, b.change);
            let all: Vec<String> = crate::objects::buffers(op).iter().map(one).collect();
            format!("set {}, {}", op.key.space, all.join(" "))
        }
        p::OP_JOIN => format!("thread {}", op.key.at),
        p::OP_WAIT if op.a < 0 => "any child".to_string(),
        p::OP_WAIT => format!("process {}", op.a),
        p::OP_EXIT_PROCESS => format!("status {}", op.a),
        p::OP_COND_SIGNAL if outcome >= 0 => format!("{}, wakes thread {outcome}", name(&op.key)),
        p::OP_COND_WAIT | RELOCK => {
            let mutex = op.with.as_ref().map(name).unwrap_or_default();
            format!("{} with {mutex}", name(&op.key))
        }
        p::OP_CHECK | p::OP_ASSERT => String::new(),
        _ => name(&op.key),
    }
}

/// Whether a scenario shows what it was recorded for. Of assertions and exit statuses it must be the same one; other messages
/// have addresses and threads in them, which an equivalent run may name otherwise.
pub fn confirms(scenario: &Scenario, failure: &Failure) -> bool {
    match &scenario.failure {
        Some(found) => {
            let told_apart = matches!(failure.kind, Kind::Assertion | Kind::Exit);
            found.kind == failure.kind && (!told_apart || found.message == failure.message)
        }
        // A thread that computes for ever, or cannot move for long, is seen only by going on.
        None => failure.kind == Kind::Livelock,
    }
}
