//! All orders of steps of a program: its outcomes, whether it can deadlock, and whether it has a
//! data race.

use super::clocks::{Clocks, Reading};
use super::lower::{Grain, lower};
use super::machine::{Life, Machine, State};
use super::memory::Layout;
use super::{Program, Stmt};
use std::collections::{BTreeSet, HashMap};

/// What can become of a program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Truth {
    pub outcomes: BTreeSet<String>,
    pub deadlock: bool,
    /// Some run uses a block of memory after it was freed.
    pub undefined: bool,
    pub race: bool,
    pub states: usize,
    /// Orders of steps, about.
    pub orders: f64,
}

/// None if there are more states than `limit`.
pub fn explore(program: &Program, grain: Grain, limit: usize) -> Option<Truth> {
    Exploration::new(program, grain, limit).run(None)
}

/// Whether the program has a data race; none if there are too many states.
pub fn races(program: &Program, grain: Grain, reading: Reading, limit: usize) -> Option<bool> {
    let exploration = Exploration::new(program, grain, limit);
    let clocks = Clocks::new(
        reading,
        exploration.machine.layout.bytes,
        program.locks.len(),
        &program.semaphores,
        program.barriers.len(),
    );
    exploration.run(Some(clocks)).map(|truth| truth.race)
}

struct Exploration<'p> {
    machine: Machine<'p>,
    awaited: Vec<bool>,
    limit: usize,
    seen: HashMap<State, f64>,
    truth: Truth,
}

impl<'p> Exploration<'p> {
    fn new(program: &'p Program, grain: Grain, limit: usize) -> Exploration<'p> {
        let code = lower(program, grain);
        let layout = Layout::new(program, code.blocks);
        let machine = Machine { program, code, layout };
        let awaited = program.awaited();
        Exploration { machine, awaited, limit, seen: HashMap::new(), truth: Truth::default() }
    }

    fn run(mut self, clocks: Option<Clocks>) -> Option<Truth> {
        let initial = self.machine.initial(clocks);
        self.truth.orders = self.visit(initial)?;
        self.truth.states = self.seen.len();
        Some(self.truth)
    }

    /// How many orders lead from here to an end; a race ends everything.
    fn visit(&mut self, state: State) -> Option<f64> {
        if let Some(orders) = self.seen.get(&state) {
            return Some(*orders);
        }
        if self.seen.len() == self.limit {
            return None;
        }
        if state.undefined || self.truth.race || state.clocks.as_ref().is_some_and(|clocks| clocks.race) {
            self.truth.undefined |= state.undefined;
            self.truth.race |= state.clocks.as_ref().is_some_and(|clocks| clocks.race);
            return Some(1.0);
        }
        if state.exited {
            return Some(1.0);
        }
        if state.threads[0].life == Life::Ended {
            self.truth.outcomes.insert(self.outcome(&state));
            return Some(1.0);
        }
        // A loop that waits comes back here: it adds no order.
        self.seen.insert(state.clone(), 0.0);
        let (mut orders, mut blocked) = (0.0, true);
        for thread in 0..state.threads.len() {
            for next in self.machine.steps(&state, thread) {
                blocked &= next == state;
                orders += self.visit(next)?;
            }
        }
        self.truth.deadlock |= blocked;
        let orders = if blocked { 1.0 } else { orders };
        self.seen.insert(state, orders);
        Some(orders)
    }

    /// The text that the program itself prints at its end.
    fn outcome(&self, state: &State) -> String {
        let threads = state.threads.iter().zip(&self.awaited).filter(|(_, awaited)| **awaited);
        let locals =
            threads.map(|(thread, _)| format!("{:x},{:x};", thread.registers[0], thread.registers[1]));
        let mut text: String = locals.collect();
        if self.awaited.iter().all(|awaited| *awaited) {
            for object in 0..self.machine.program.objects.len() {
                let bytes = &state.memory[self.machine.layout.object(object)];
                text.extend(bytes.iter().map(|byte| format!("{byte:02x}")));
                text.push(';');
            }
        }
        text
    }
}

/// Whether what a program does depends on the grain of its accesses.
pub fn grainy(program: &Program) -> bool {
    let mut grainy = program.objects.iter().any(|object| object.shape == super::Shape::Bits);
    program.visit(&mut |statement| grainy |= matches!(statement, Stmt::Move { .. } | Stmt::Fill { .. }));
    grainy
}
