//! Greedy shrinking of programs of calls: cuts are numbered, those under which the contradiction
//! persists are kept.

use super::Program;

/// The smallest program reached from `program` for which `persists` holds; at most `patience`
/// questions are asked.
pub fn shrink(program: &Program, patience: usize, persists: impl FnMut(&Program) -> bool) -> Program {
    crate::shrink::greedy(program, patience, cut, persists)
}

/// The program after cut `number`; none if there are fewer. First tasks go, then calls.
fn cut(program: &Program, number: usize) -> Option<Program> {
    let tasks = program.tasks.len();
    if number < tasks {
        return Some(without(program, number));
    }
    let mut smaller = program.clone();
    let mut left = number - tasks;
    for calls in &mut smaller.tasks {
        if left < calls.len() {
            calls.remove(left);
            return Some(smaller);
        }
        left -= calls.len();
    }
    None
}

/// Without a task; those that are named move up, and calls that name it are gone.
fn without(program: &Program, task: usize) -> Program {
    let mut smaller = program.clone();
    if smaller.tasks.len() > 1 {
        smaller.tasks.remove(task);
        for calls in &mut smaller.tasks {
            calls.retain(|call| !call.names_another() || call.other != task);
            calls.iter_mut().for_each(|call| call.other -= usize::from(call.other > task));
        }
    }
    smaller
}
