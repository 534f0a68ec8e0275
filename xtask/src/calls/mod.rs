//! Small random C programs of calls to the C library and the kernel: their form, their text, a
//! seeded generator, and what `weave run` and real execution say of them.
//!
//! No interpreter knows what the calls do. What is compared instead: the outcomes of one reduction
//! with those of another, and those of real runs with those of a search.

pub mod ask;
pub mod compare;
pub mod groups;
mod print;
pub mod shrink;
#[cfg(test)]
mod tests;

use crate::generate::rng::Rng;
use groups::{GROUPS, Group, Tasks};

/// Tasks that call; the first task of a program waits for them and reports the outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    pub seed: u64,
    /// Tasks are processes, not threads.
    pub processes: bool,
    /// The tasks are joined when all are at their ends. Else one may name another that was joined.
    pub gated: bool,
    pub tasks: Vec<Vec<Call>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call {
    pub group: &'static Group,
    pub text: &'static str,
    /// The other task that it names.
    pub other: usize,
}

impl Call {
    pub fn names_another(&self) -> bool {
        self.text.contains("OTHER")
    }
}

impl Program {
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.tasks.iter().flatten()
    }

    pub fn names_tasks(&self) -> bool {
        self.calls().any(Call::names_another)
    }

    /// It has children.
    pub fn forks(&self) -> bool {
        self.processes || self.calls().any(|call| call.group.name == "children")
    }

    /// The groups of its calls, in the order of the table.
    pub fn groups(&self) -> Vec<&'static Group> {
        GROUPS.iter().filter(|group| self.calls().any(|call| call.group == *group)).collect()
    }
}

/// The program of a seed, of these groups; of chosen ones if none are given.
pub fn program(seed: u64, given: &[&'static Group]) -> Program {
    let mut rng = Rng::new(seed);
    let groups = match given {
        [] => chosen(seed, &mut rng),
        _ => given.to_vec(),
    };
    let only = |tasks: Tasks| groups.iter().any(|group| group.tasks == tasks);
    let processes = match (only(Tasks::Threads), only(Tasks::Processes)) {
        (true, _) => false,
        (false, true) => true,
        _ => rng.chance(25),
    };
    let other_tasks = if processes { Tasks::Threads } else { Tasks::Processes };
    let groups: Vec<_> = groups.into_iter().filter(|group| group.tasks != other_tasks).collect();
    let count = if rng.chance(75) { 2 } else { 3 };
    let tasks = (0..count).map(|task| calls(&groups, task, count, &mut rng)).collect();
    let mut program = Program { seed, processes, gated: false, tasks };
    program.gated = !processes && program.names_tasks() && rng.chance(85);
    program
}

/// Every other seed takes the next pair of groups, the others some by their weights.
fn chosen(seed: u64, rng: &mut Rng) -> Vec<&'static Group> {
    if seed.is_multiple_of(2) {
        return pair(seed).to_vec();
    }
    let weights: Vec<(usize, &Group)> = GROUPS.iter().map(|group| (group.weight, group)).collect();
    let number = 1 + rng.below(3);
    (0..number).filter_map(|_| rng.weighted(&weights)).collect()
}

/// The step has no divisor in common with the number of pairs, so that each has its turn.
fn pair(seed: u64) -> [&'static Group; 2] {
    let pair = (seed / 2 * 7919) as usize % (GROUPS.len() * GROUPS.len());
    [&GROUPS[pair / GROUPS.len()], &GROUPS[pair % GROUPS.len()]]
}

fn calls(groups: &[&'static Group], task: usize, tasks: usize, rng: &mut Rng) -> Vec<Call> {
    let most = if tasks == 2 { 3 } else { 2 };
    let number = 1 + rng.below(most);
    let mut call = || {
        let group = *rng.pick(groups)?;
        let text = *rng.pick(group.calls)?;
        // Each task is joined by one other at most.
        let next = text.starts_with("join_") || text.starts_with("detach") || tasks == 2;
        let away = if next { 1 } else { 1 + rng.below(tasks - 1) };
        Some(Call { group, text, other: (task + away) % tasks })
    };
    (0..number).filter_map(|_| call()).collect()
}
