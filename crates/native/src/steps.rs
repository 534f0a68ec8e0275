//! Steps of a program: as numbers that a recorded run has, and in words for people.

use crate::execution::Execution;
use crate::object_names::{memory, worked_on};
use crate::operation::{Class, Key, Operation, Outcome, Pending, Tid};
use crate::symbols::{Place, Symbols};
use explore::stateless::{Clash, Failure, Kind, Spot, Trouble, World};
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

/// One of the accesses of a race, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedAccess {
    /// The thread.
    pub who: Tid,
    /// What it is called.
    pub called: String,
    /// What the access does.
    pub name: &'static str,
    /// What is accessed.
    pub object: String,
    /// The program's own frames, innermost first; the place of the access alone if no more is known.
    pub stack: Vec<Place>,
    /// The address of the access in the code.
    pub pc: u64,
}

impl Reporter {
    /// The two accesses of a race, the earlier one first.
    pub fn accesses(&self, execution: &Execution, clash: &Clash) -> [ReportedAccess; 2] {
        let object = memory(&self.symbols, &Key::new(Class::Memory, clash.space, clash.at));
        let one = |spot: &Spot, who: Tid| {
            let mut stack: Vec<Place> = self.symbols.places(spot.pc);
            let callers = execution.stacks.get(&spot.pc).into_iter().flatten();
            stack.extend(callers.filter(|pc| **pc != spot.pc).flat_map(|pc| self.symbols.places(*pc)));
            let (called, name) = (execution.called(who), spot.name());
            ReportedAccess { who, called, name, object: object.clone(), stack, pc: spot.pc }
        };
        let [first, second] = clash.threads;
        [one(&clash.race.first, first), one(&clash.race.second, second)]
    }

    /// Tells which accesses race: on what, whose, and where.
    pub fn explain(&self, execution: &Execution, failure: &mut Failure) {
        let Some(clash) = &failure.race else { return };
        let one = |access: &ReportedAccess| {
            let at = self.symbols.place(access.pc).map_or(format!("{:#x}", access.pc), |p| {
                format!("{}:{} in {}", p.file.rsplit('/').next().unwrap_or(&p.file), p.line, p.function)
            });
            format!("{} by {} at {at}", access.name, access.called)
        };
        let [first, second] = self.accesses(execution, clash);
        let (object, first, second) = (first.object.clone(), one(&first), one(&second));
        failure.message = format!("on {object}: {first} and {second}, in no order");
    }
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
}
