//! The interpreter's state, and what one step of a thread makes of it.

use super::clocks::{Clocks, Does};
use super::lower::{Change, Lowered, Op, Target};
use super::memory::{Layout, Spot};
use super::{Compare, Function, Hold, LockKind, Mode, Program, REGISTERS, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Life {
    Unborn,
    Alive,
    Ended,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Thread {
    pub life: Life,
    at: usize,
    pub registers: [u64; REGISTERS],
    /// Waits to be woken: on a condition variable, or at a barrier.
    asleep: Option<(bool, usize)>,
}

/// Who holds a lock, and how often.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Held {
    owner: Option<usize>,
    depth: u8,
    readers: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub memory: Vec<u8>,
    pub threads: Vec<Thread>,
    locks: Vec<Held>,
    semaphores: Vec<u8>,
    /// Objects of the heap that were freed.
    freed: Vec<usize>,
    pub clocks: Option<Box<Clocks>>,
    /// Something undefined happened that is no race: a block was used after it was freed.
    pub undefined: bool,
    /// The process has ended, and reported nothing.
    pub exited: bool,
}

pub struct Machine<'p> {
    pub program: &'p Program,
    pub code: Lowered,
    pub layout: Layout,
}

impl Machine<'_> {
    pub fn initial(&self, clocks: Option<Clocks>) -> State {
        let thread = Thread { life: Life::Unborn, at: 0, registers: [0; REGISTERS], asleep: None };
        let mut state = State {
            memory: vec![0; self.layout.bytes],
            threads: vec![thread; self.program.threads.len()],
            locks: vec![Held::default(); self.program.locks.len()],
            semaphores: self.program.semaphores.clone(),
            freed: Vec::new(),
            clocks: clocks.map(Box::new),
            undefined: false,
            exited: false,
        };
        state.threads[0].life = Life::Alive;
        self.settle(&mut state, 0);
        state
    }

    /// The operation a thread stands before.
    pub fn next(&self, state: &State, thread: usize) -> Op {
        self.code.threads[thread][state.threads[thread].at]
    }

    /// Executes what no other thread can notice.
    fn settle(&self, state: &mut State, thread: usize) {
        loop {
            let op = self.next(state, thread);
            let at = &mut state.threads[thread];
            match op {
                Op::Set(register, value) => at.registers[register] = evaluate(value, &at.registers),
                Op::Mix(from, into) => {
                    at.registers[into] = at.registers[into].wrapping_mul(8).wrapping_add(at.registers[from]);
                }
                Op::Apply(register, function, value) => {
                    let value = evaluate(value, &at.registers);
                    at.registers[register] = apply(function, at.registers[register], value);
                }
                Op::Branch { left, compare, right, otherwise } => {
                    if !holds(at.registers[left], compare, right) {
                        at.at = otherwise;
                        continue;
                    }
                }
                Op::Jump(to) => {
                    at.at = to;
                    continue;
                }
                _ => return,
            }
            at.at += 1;
        }
    }

    /// Every state that one step of the thread leads to; none if it is blocked.
    pub fn steps(&self, state: &State, thread: usize) -> Vec<State> {
        if state.threads[thread].life != Life::Alive || state.threads[thread].asleep.is_some() {
            return Vec::new();
        }
        let mut next = state.clone();
        match self.next(state, thread) {
            Op::Notify { condition, all } => return self.notify(state, thread, condition, all),
            Op::Await { target, mode, value } => return self.awaits(next, thread, (target, mode, value)),
            Op::End => {
                next.threads[thread].life = Life::Ended;
                return vec![next];
            }
            op => {
                if !self.perform(&mut next, thread, op) {
                    return Vec::new();
                }
            }
        }
        self.advance(&mut next, thread);
        vec![next]
    }

    fn advance(&self, state: &mut State, thread: usize) {
        state.threads[thread].at += 1;
        self.settle(state, thread);
    }

    /// A loop that reads until it sees the value. With clocks, what it reads in vain is a step too.
    fn awaits(
        &self,
        mut state: State,
        thread: usize,
        (target, mode, value): (Target, Mode, u64),
    ) -> Vec<State> {
        let spot = self.layout.locate(target, &state.threads[thread].registers);
        let clocked = state.clocks.is_some();
        state.access(thread, spot, Does::Read, mode);
        if spot.read(&state.memory) == value {
            self.advance(&mut state, thread);
            return vec![state];
        }
        if clocked { vec![state] } else { Vec::new() }
    }

    fn notify(&self, state: &State, thread: usize, condition: usize, all: bool) -> Vec<State> {
        let asleep = |other: &usize| state.threads[*other].asleep == Some((true, condition));
        let waiting: Vec<usize> = (0..state.threads.len()).filter(asleep).collect();
        let choices: Vec<Vec<usize>> = match waiting.len() {
            0 => vec![Vec::new()],
            _ if all => vec![waiting],
            _ => waiting.into_iter().map(|one| vec![one]).collect(),
        };
        let woken = choices.into_iter().map(|woken| {
            let mut next = state.clone();
            woken.iter().for_each(|other| next.threads[*other].asleep = None);
            if let Some(clocks) = &mut next.clocks {
                clocks.notify(thread, &woken);
            }
            self.advance(&mut next, thread);
            next
        });
        woken.collect()
    }

    /// Performs an operation; false if it is blocked.
    fn perform(&self, state: &mut State, thread: usize, op: Op) -> bool {
        match op {
            Op::Load { into, target, mode } => {
                let spot = self.spot(state, thread, target);
                state.access(thread, spot, Does::Read, mode);
                state.threads[thread].registers[into] = spot.read(&state.memory);
            }
            Op::Store { target, mode, value } => {
                let spot = self.spot(state, thread, target);
                state.access(thread, spot, Does::Write, mode);
                let value = evaluate(value, &state.threads[thread].registers);
                spot.write(&mut state.memory, value);
            }
            Op::Rmw { into, target, change, value, order } => {
                let spot = self.spot(state, thread, target);
                let old = spot.read(&state.memory);
                let value = evaluate(value, &state.threads[thread].registers);
                let (new, result) = match change {
                    Change::Apply(function) => (Some(apply(function, old, value)), old),
                    Change::IfEqual(expected) => {
                        ((old == expected).then_some(value), u64::from(old == expected))
                    }
                };
                let (does, order) = match new {
                    Some(_) => (Does::Both, order),
                    None => (Does::Read, order.failing()),
                };
                state.access(thread, spot, does, Mode::Atomic(order));
                if let Some(new) = new {
                    spot.write(&mut state.memory, new);
                }
                state.threads[thread].registers[into] = result;
            }
            Op::Allocate(into, block) => state.threads[thread].registers[into] = block as u64,
            Op::Free(pointer) => {
                let block = state.threads[thread].registers[pointer];
                let spot = self.spot(state, thread, Target::Block(pointer));
                state.access(thread, spot, Does::Write, Mode::Plain);
                state.freed.push(block as usize);
                state.freed.sort_unstable();
            }
            Op::Fork { into, places, lock } => {
                let [first, second] = places
                    .map(|place| self.spot(state, thread, Target::Place(place)).read(&state.memory) & 7);
                let free =
                    lock.is_some_and(|at| state.locks[at].owner.is_none() && state.locks[at].readers == 0);
                state.threads[thread].registers[into] = first | second << 3 | u64::from(free) << 6;
            }
            Op::Exit => state.exited = true,
            _ => return self.synchronize(state, thread, op),
        }
        true
    }

    fn spot(&self, state: &mut State, thread: usize, target: Target) -> Spot {
        let registers = &state.threads[thread].registers;
        if let Target::Block(pointer) = target {
            state.undefined |= state.freed.contains(&(registers[pointer] as usize));
        }
        self.layout.locate(target, registers)
    }

    fn synchronize(&self, state: &mut State, thread: usize, op: Op) -> bool {
        match op {
            Op::Lock(lock, hold) => return self.lock(state, thread, lock, hold),
            Op::Wake { lock } => return self.lock(state, thread, lock, Hold::Alone),
            Op::TryLock(lock, hold, into) => {
                let got = self.lock(state, thread, lock, hold);
                if let (false, Some(clocks)) = (got, &mut state.clocks) {
                    clocks.failed(thread, lock);
                }
                state.threads[thread].registers[into] = got.into();
            }
            Op::Unlock(lock, hold) => state.unlock(thread, lock, hold),
            Op::Sleep { condition, lock } => {
                state.unlock(thread, lock, Hold::Alone);
                state.threads[thread].asleep = Some((true, condition));
            }
            Op::Post(semaphore) => {
                state.semaphores[semaphore] += 1;
                if let Some(clocks) = &mut state.clocks {
                    clocks.post(thread, semaphore);
                }
            }
            Op::Wait(semaphore) => return state.wait(thread, semaphore),
            Op::TryWait(semaphore, into) => {
                let got = state.wait(thread, semaphore);
                if let (false, Some(clocks)) = (got, &mut state.clocks) {
                    clocks.looked(thread, semaphore);
                }
                state.threads[thread].registers[into] = got.into();
            }
            Op::Count(semaphore, into) => {
                state.threads[thread].registers[into] = state.semaphores[semaphore].into();
                if let Some(clocks) = &mut state.clocks {
                    clocks.looked(thread, semaphore);
                }
            }
            Op::Arrive(barrier) => self.arrive(state, thread, barrier),
            Op::Spawn(child) => {
                state.threads[child].life = Life::Alive;
                self.settle(state, child);
                if let Some(clocks) = &mut state.clocks {
                    clocks.spawn(thread, child);
                }
            }
            Op::Join(child) => {
                if state.threads[child].life != Life::Ended {
                    return false;
                }
                if let Some(clocks) = &mut state.clocks {
                    clocks.joined(thread, child);
                }
            }
            _ => {}
        }
        true
    }

    fn lock(&self, state: &mut State, thread: usize, lock: usize, hold: Hold) -> bool {
        let held = &mut state.locks[lock];
        let again = held.owner == Some(thread) && self.program.locks[lock] == LockKind::Recursive;
        match hold {
            Hold::Alone if held.owner.is_none() && held.readers == 0 || again => {
                held.owner = Some(thread);
                held.depth += 1;
            }
            Hold::Shared if held.owner.is_none() => held.readers += 1,
            _ => return false,
        }
        if let Some(clocks) = &mut state.clocks {
            clocks.lock(thread, lock, hold == Hold::Shared);
        }
        true
    }

    fn arrive(&self, state: &mut State, thread: usize, barrier: usize) {
        state.threads[thread].asleep = Some((false, barrier));
        if let Some(clocks) = &mut state.clocks {
            clocks.arrive(thread, barrier);
        }
        let asleep = |other: &usize| state.threads[*other].asleep == Some((false, barrier));
        let here: Vec<usize> = (0..state.threads.len()).filter(asleep).collect();
        if here.len() == usize::from(self.program.barriers[barrier]) {
            here.iter().for_each(|other| state.threads[*other].asleep = None);
            if let Some(clocks) = &mut state.clocks {
                clocks.met(&here, barrier);
            }
        }
    }
}

impl State {
    fn access(&mut self, thread: usize, spot: Spot, does: Does, mode: Mode) {
        if let Some(clocks) = &mut self.clocks {
            clocks.access(thread, spot, does, mode);
        }
    }

    fn unlock(&mut self, thread: usize, lock: usize, hold: Hold) {
        let held = &mut self.locks[lock];
        match hold {
            Hold::Shared => held.readers -= 1,
            Hold::Alone => {
                held.depth -= 1;
                if held.depth == 0 {
                    held.owner = None;
                }
            }
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.unlock(thread, lock, hold == Hold::Shared);
        }
    }

    fn wait(&mut self, thread: usize, semaphore: usize) -> bool {
        let free = self.semaphores[semaphore] > 0;
        if free {
            self.semaphores[semaphore] -= 1;
            if let Some(clocks) = &mut self.clocks {
                clocks.wait(thread, semaphore);
            }
        }
        free
    }
}

fn evaluate(value: Value, registers: &[u64]) -> u64 {
    match value {
        Value::Constant(number) => number,
        Value::Local(register) => registers[register],
        Value::Plus(register, number) => registers[register].wrapping_add(number),
        Value::Times(register, number) => registers[register].wrapping_mul(number),
    }
}

fn apply(function: Function, old: u64, value: u64) -> u64 {
    match function {
        Function::Add => old.wrapping_add(value),
        Function::Sub => old.wrapping_sub(value),
        Function::And => old & value,
        Function::Or => old | value,
        Function::Xor => old ^ value,
        Function::Nand => !(old & value),
        Function::Exchange => value,
        Function::Shift => old >> value,
    }
}

fn holds(left: u64, compare: Compare, right: u64) -> bool {
    match compare {
        Compare::Equal => left == right,
        Compare::Less => left < right,
        Compare::Odd => left & 1 == 1,
    }
}
