//! Steps of a program: as numbers that a recorded run has, and in words for people.

use crate::execution::Execution;
use crate::object_names::{memory, worked_on};
use crate::operation::{Class, Key, Operation, Outcome, Pending, Tid};
use crate::symbols::{Place, Symbols};
use explore::stateless::{Clash, Failure, Kind, Spot, Trouble, Way, World};
use objects::Object;
use space::Step;
use std::path::Path;

/// A step as a recorded run has it: who, the outcome (its sign in the last bit), and a hash of the
/// operation's name (FNV-1a of 32 bits), so that a program that does something else is noticed.
pub fn numbered(who: Tid, outcome: Outcome, name: &str) -> Step {
    let outcome = ((outcome << 1) ^ (outcome >> 63)) as u64;
    let hash = name.bytes().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    Step { actor: who, path: vec![outcome as usize, hash as usize], partner: None }
}

/// A step for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedStep {
    /// The thread that takes the step.
    pub who: Tid,
    /// The process of the thread.
    pub process: u64,
    /// Which of the possible outcomes it had.
    pub outcome: Outcome,
    /// The name of the operation.
    pub operation: String,
    /// On what, and how.
    pub object: String,
    /// The program's own frames, innermost first.
    pub stack: Vec<Place>,
    /// What the program printed.
    pub output: String,
}

/// Tells what a program does: names of places and objects, and what it printed since the last time.
pub struct Reporter {
    pub(crate) symbols: Symbols,
    written: u64,
}

impl Reporter {
    /// For an executable loaded at this address.
    pub fn new(program: &Path, base: u64) -> Reporter {
        Reporter { symbols: Symbols::new(program, base), written: 0 }
    }

    /// The program begins anew.
    pub fn forget(&mut self) {
        self.written = 0;
    }

    /// What was printed since the last call.
    pub fn output(&mut self, execution: &Execution) -> String {
        let new = execution.machine.output(self.written);
        self.written += new.len() as u64;
        String::from_utf8_lossy(&new).into_owned()
    }

    /// A step with the names of places and objects, without what it printed.
    pub fn reported(&self, execution: &Execution, who: Tid, op: &Pending, outcome: Outcome) -> ReportedStep {
        let mut stack: Vec<Place> = op.stack.iter().flat_map(|pc| self.symbols.places(*pc)).collect();
        if stack.is_empty() {
            stack.extend(self.symbols.places(op.pc));
        }
        let object = match &op.operation {
            Operation::Content(call) => execution.machine.path(call.name),
            _ => worked_on(&self.symbols, op, outcome),
        };
        ReportedStep {
            who,
            process: op.process,
            outcome,
            operation: op.name().to_string(),
            object,
            stack,
            output: String::new(),
        }
    }
}

impl Reporter {
    /// Says what failed in the words of the program: which accesses race, and where each stands; an
    /// assertion with its place, without folders.
    pub fn explain(&self, execution: &Execution, failure: &mut Failure) {
        match (failure.kind, failure.race) {
            (_, Some(clash)) => failure.message = self.race(execution, &clash),
            (Kind::Assertion, None) => failure.message = asserted(&failure.message),
            _ => {}
        }
    }

    fn race(&self, execution: &Execution, clash: &Clash) -> String {
        let [one, other] = [clash.race.first, clash.race.second];
        let places = [self.symbols.place(one.pc), self.symbols.place(other.pc)];
        let file = |place: &Option<Place>| place.as_ref().map(|p| p.file.clone());
        let one_file = file(&places[0]) == file(&places[1]);
        let at = |place: &Option<Place>, spot: &Spot| match place {
            Some(p) if one_file => format!("line {}", p.line),
            Some(p) => format!("{}:{}", base_name(&p.file), p.line),
            None => format!("{:#x}", spot.pc),
        };
        let key = Key::new(Class::Memory, clash.space, clash.at);
        format!(
            "`{}` is {} by {} ({}) while {} {} it ({})",
            memory(&self.symbols, &key),
            with_care(one, done(one.way)),
            execution.called(clash.threads[0]),
            at(&places[0], &one),
            execution.called(clash.threads[1]),
            with_care(other, does(other.way)),
            at(&places[1], &other),
        )
    }

    /// The two accesses of a race: who, what, and from where.
    pub fn accesses(&self, execution: &Execution, failure: &Failure) -> Vec<ReportedAccess> {
        let Some(clash) = failure.race else { return Vec::new() };
        let spots = [clash.race.first, clash.race.second].into_iter().zip(clash.threads);
        let object = memory(&self.symbols, &Key::new(Class::Memory, clash.space, clash.at));
        let access = |(spot, thread): (Spot, Tid)| {
            let known = execution.stacks.get(&spot.pc).into_iter().flatten();
            let mut stack: Vec<Place> = known.flat_map(|pc| self.symbols.places(*pc)).collect();
            if stack.is_empty() {
                stack = self.symbols.places(spot.pc);
            }
            let (who, does) = (execution.called(thread), with_care(spot, does(spot.way)));
            ReportedAccess { thread, who, does, object: object.clone(), stack }
        };
        spots.map(access).collect()
    }

    /// The locks that a thread has, by name.
    pub fn held(&self, execution: &Execution, who: Tid) -> Vec<String> {
        execution.held_by(who).iter().map(|key| memory(&self.symbols, key)).collect()
    }
}

/// One of two accesses that race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedAccess {
    /// The thread.
    pub thread: Tid,
    /// What it is called.
    pub who: String,
    /// What it does to the memory: *reads*, *writes*.
    pub does: String,
    /// What is accessed.
    pub object: String,
    /// The program's own frames, innermost first.
    pub stack: Vec<Place>,
}

/// What an access does, behind its thread.
fn does(way: Way) -> &'static str {
    match way {
        Way::Read => "reads",
        Way::Write => "writes",
        Way::Free => "frees",
        Way::Use => "uses",
        Way::Init => "initialises or destroys",
    }
}

/// The same, before its thread.
fn done(way: Way) -> &'static str {
    match way {
        Way::Read => "read",
        Way::Write => "written",
        Way::Free => "freed",
        Way::Use => "used",
        Way::Init => "initialised or destroyed",
    }
}

fn with_care(spot: Spot, verb: &str) -> String {
    let plain = !spot.atomic || matches!(spot.way, Way::Free | Way::Use | Way::Init);
    if plain { verb.to_string() } else { format!("atomically {verb}") }
}

/// A file without its folders.
fn base_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// "x == 1 (/folder/file.c:7, main)", as the library tells it, for people.
fn asserted(told: &str) -> String {
    let at_line = |at: usize| {
        let inside = told[at + 2..].strip_suffix(')')?;
        let (place, function) = inside.split_once(", ").map_or((inside, None), |(p, f)| (p, Some(f)));
        let (file, line) = place.rsplit_once(':')?;
        line.parse::<u32>().ok()?;
        let within = function.filter(|f| *f != "?").map(|f| format!(" in {f}")).unwrap_or_default();
        Some(format!("`{}` fails at {}:{line}{within}", &told[..at], base_name(file)))
    };
    let found = told.rmatch_indices(" (").find_map(|(at, _)| at_line(at));
    found.unwrap_or_else(|| told.to_string())
}

/// Executes a record in a program that has just been started, and leaves it there.
pub(crate) fn perform(execution: &mut Execution, record: &[Step]) -> Result<(), Trouble> {
    execution.tells_stacks = true;
    execution.restart()?;
    for (at, step) in record.iter().enumerate() {
        let semantics = execution.semantics();
        let outcomes = |(who, op): &(Tid, Pending)| {
            let outcome = |outcome: &Outcome| numbered(*who, *outcome, op.name()) == *step;
            semantics.outcomes(*who, op).into_iter().find(outcome)
        };
        let outcome = execution.pending().iter().find_map(outcomes).ok_or(Trouble::Nondeterminism(at))?;
        execution.step(step.actor, outcome)?;
    }
    Ok(())
}

/// Whether a failure is the one that a run was recorded for. Of assertions and exit statuses it
/// must be the same one; other messages have addresses and threads in them, which an equivalent run
/// may name otherwise.
pub fn confirms(found: Option<&Failure>, failure: &Failure) -> bool {
    match found {
        Some(found) => {
            let told_apart = matches!(failure.kind, Kind::Assertion | Kind::Exit);
            let found = found.of_kind(failure.kind);
            found.is_some_and(|found| !told_apart || found.message == failure.message)
        }
        // A thread that computes without end, or is not enabled for long, is seen only by going on.
        None => failure.kind == Kind::Livelock,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_differ_by_thread_outcome_and_name() {
        let one = numbered(1, -1, "cond_signal");
        assert_eq!(one, numbered(1, -1, "cond_signal"));
        assert_eq!(one.path[0], 1);
        for other in
            [numbered(2, -1, "cond_signal"), numbered(1, 1, "cond_signal"), numbered(1, -1, "sem_wait")]
        {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn an_assertion_is_told_without_folders() {
        let told = "a[0] == (1) (/folder/bank.c:31, main)";
        assert_eq!(asserted(told), "`a[0] == (1)` fails at bank.c:31 in main");
        assert_eq!(asserted("x (weave.c:7)"), "`x` fails at weave.c:7");
        assert_eq!(
            asserted("f (a, b) (x.cpp:3, int f(int, int))"),
            "`f (a, b)` fails at x.cpp:3 in int f(int, int)"
        );
        assert_eq!(asserted("odd"), "odd");
    }
}
