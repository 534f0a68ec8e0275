//! The work of a stepper: what changes while states are expanded.
//!
//! All successors of a state are made at once, each in place behind the others in one buffer.
//! States inside an atomic sequence are not successors: they wait in `pending` and are expanded by
//! their process alone, along every path, until the sequence ends or blocks. The order is last in,
//! first out, so the way to the pending state at work is at hand; coming back to a state of a long
//! way means an atomic sequence that never ends, and that path is cut.

use crate::atomic::Line;
use crate::enabled::Receiver;
use crate::machine::{At, Machine, Status};
use crate::pending::{Pending, Reached};
use crate::pids::Pids;
use crate::record::Recorder;
use crate::rules::{Choice, PointCode, Rules};
use independence::{handshake, label};
use space::{Edges, FaultAt, Label, Step};
use system::{Fault, Pid, TransitionId};

#[derive(Clone)]
pub struct Worker {
    pub machine: Machine,
    sent: Vec<u8>,
    pending: Pending,
    pub recorder: Option<Recorder>,
    /// Who has moved on the way to the state at work, if that is recorded.
    way: Pids,
    /// How the step at work began.
    pub label: Label,
    /// The step at work is inside an atomic sequence.
    inside: bool,
    /// By process type and transition of the simplified system: whether it was ever executed.
    pub reached: Vec<Vec<bool>>,
}

/// A transition that a process takes; the sender, if it takes an offer.
#[derive(Clone, Copy)]
struct Taken<'a> {
    pid: Pid,
    process_type: usize,
    choice: &'a Choice,
    sender: Option<(Pid, TransitionId)>,
}

/// A step in the making.
pub struct Path {
    pub pid: Pid,
    pub process_type: usize,
    /// Filled only when recording.
    transitions: Vec<TransitionId>,
    first: TransitionId,
    pub last: TransitionId,
    sender: Option<(Pid, TransitionId)>,
}

impl Path {
    fn step(&self) -> Step {
        let path = self.transitions.clone();
        match self.sender {
            None => Step { actor: self.pid, path, partner: None },
            Some((actor, send)) => Step { actor, path: vec![send], partner: Some((self.pid, path)) },
        }
    }

    /// The place of a d_step that never ends is where it begins: where it is found to come back
    /// depends on how one looks.
    pub fn fault(&self, fault: Fault, label: Label) -> FaultAt {
        let transition = if fault == Fault::StepDiverges { self.first } else { self.last };
        let place = (self.process_type as u64) << 32 | transition as u64;
        FaultAt { fault: fault.into(), place, label, goes_on: !fault.is_fatal(), certain: true }
    }
}

impl Worker {
    pub fn new(machine: Machine, reached: Vec<Vec<bool>>, joins: bool) -> Worker {
        Worker {
            machine,
            sent: Vec::new(),
            pending: Pending::new(joins),
            recorder: None,
            way: Pids::default(),
            label: Label::default(),
            inside: false,
            reached,
        }
    }

    /// Expands `state` by every process; whether any could move.
    pub fn expand_all(&mut self, rules: &Rules, state: &mut Vec<u8>, timeout: bool, out: &mut Edges) -> bool {
        let mut moved = false;
        for pid in 0..state[0] as usize {
            moved |= self.expand_one(rules, state, (pid, timeout), out);
        }
        moved
    }

    /// Expands `state` by one process, atomic sequences to their end; whether it could move.
    pub fn expand_one(
        &mut self,
        rules: &Rules,
        state: &mut Vec<u8>,
        (pid, timeout): (Pid, bool),
        out: &mut Edges,
    ) -> bool {
        self.machine.timeout = timeout;
        let moved = self.expand_process(rules, state, pid, out);
        self.machine.timeout = false;
        if !self.pending.is_empty() {
            self.drain(rules, out);
            self.machine.attend(&rules.tables, state);
        }
        moved
    }

    /// Expands the states inside atomic sequences until none is left.
    fn drain(&mut self, rules: &Rules, out: &mut Edges) {
        let mut state = std::mem::take(&mut self.pending.current);
        self.inside = true;
        while let Some(Reached { pid, label, movers, steps }) = self.pending.pop(&mut state) {
            self.label = label;
            if self.pending.comes_back(pid, movers, &state) {
                out.endless |= self.pending.endless;
                continue;
            }
            self.way = movers;
            if let Some(recorder) = &mut self.recorder {
                recorder.prefix = steps;
            }
            self.machine.attend(&rules.tables, &state);
            if !self.expand_process(rules, &mut state, pid, out) {
                out.bytes.extend_from_slice(&state);
                self.add(out);
                movers.meet(out);
                if let Some(recorder) = &mut self.recorder {
                    recorder.stays();
                }
            }
        }
        self.inside = false;
        self.pending.current = state;
        self.way = Pids::default();
        self.pending.forget_way();
        if let Some(recorder) = &mut self.recorder {
            recorder.prefix.clear();
        }
    }

    /// Expands `state` by one process; whether it could move.
    fn expand_process(&mut self, rules: &Rules, state: &mut Vec<u8>, pid: Pid, out: &mut Edges) -> bool {
        let (process_type, point) = rules.stand(&mut self.machine, state, pid);
        let at = &mut At { bytes: state, base: 0, pid };
        if rules.process_types[process_type].provided.is_some() {
            match rules.is_provided(&mut self.machine, at) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(fault) => {
                    self.begin(pid, usize::MAX);
                    let path =
                        Path { pid, process_type, transitions: vec![], first: 0, last: 0, sender: None };
                    self.fail(path, fault, out);
                    self.attend_again(rules, state);
                    return true;
                }
            }
        }
        if rules.priorities && rules.is_outranked(&mut self.machine, at) {
            return false;
        }
        for choices in rules.tiers(rules.process_types[process_type].points[point]) {
            let mut moved = false;
            for choice in choices {
                if !(choice.otherwise && moved) {
                    moved |=
                        self.attempt(rules, state, Taken { pid, process_type, choice, sender: None }, out);
                }
            }
            if moved {
                return true;
            }
        }
        false
    }

    /// Executes a transition if it is enabled; whether it was.
    fn attempt(&mut self, rules: &Rules, state: &mut Vec<u8>, taken: Taken<'_>, out: &mut Edges) -> bool {
        let Taken { pid, choice, .. } = taken;
        self.begin(pid, choice.transition);
        match rules.guard(&mut self.machine, &mut At { bytes: state, base: 0, pid }, choice) {
            Status::Done => {}
            Status::Blocked => return false,
            Status::Offers => return self.handshakes(rules, state, taken, out),
            Status::Fault(fault) => {
                self.fail(self.path(taken), fault, out);
                self.attend_again(rules, state);
                return true;
            }
        }
        let base = out.bytes.len();
        out.bytes.extend_from_slice(state);
        self.machine.failed_assertion = false;
        let at = &mut At { bytes: &mut out.bytes, base, pid };
        let moved = match self.machine.run(rules, at, choice.code.effect) {
            Status::Done => {
                self.conclude(rules, taken, base, out);
                true
            }
            Status::Fault(fault) => {
                out.bytes.truncate(base);
                self.fail(self.path(taken), fault, out);
                true
            }
            Status::Blocked | Status::Offers => {
                out.bytes.truncate(base);
                false
            }
        };
        self.attend_again(rules, state);
        moved
    }

    /// Every way in which another process takes the offer of a send; whether there is one.
    fn handshakes(&mut self, rules: &Rules, state: &[u8], taken: Taken<'_>, out: &mut Edges) -> bool {
        let Taken { pid, process_type, choice, .. } = taken;
        if choice.enters_step {
            self.fail(self.path(taken), Fault::StepBlocks, out);
            self.attend_again(rules, state);
            return true;
        }
        self.sent.clear();
        self.sent.extend_from_slice(state);
        self.machine.failed_assertion = false;
        let at = &mut At { bytes: &mut self.sent, base: 0, pid };
        if let Status::Fault(fault) = self.machine.run(rules, at, choice.code.effect) {
            self.fail(self.path(taken), fault, out);
            self.attend_again(rules, state);
            return true;
        }
        let failed = self.machine.failed_assertion;
        self.machine.move_on(rules, at, choice);
        let receivers = rules.receivers(&mut self.machine, &mut self.sent, pid);
        if let (Some(channel), false) = (self.machine.offered, receivers.is_empty()) {
            self.machine.note_use(channel, true, pid);
        }
        for receiver in &receivers {
            self.reached[process_type][choice.transition] = true;
            self.machine.failed_assertion = failed;
            self.receive(rules, receiver, (pid, choice.transition), out);
            self.attend_again(rules, state);
        }
        !receivers.is_empty()
    }

    /// The receiving half of a handshake.
    fn receive(&mut self, rules: &Rules, receiver: &Receiver, sender: (Pid, TransitionId), out: &mut Edges) {
        let Receiver { pid, choice, mut status } = *receiver;
        if !self.inside {
            self.label = handshake(self.label, pid, choice.transition);
        }
        let (process_type, _) = rules.position(&self.machine, &self.sent, pid);
        let taken = Taken { pid, process_type, choice: &choice, sender: Some(sender) };
        let base = out.bytes.len();
        if status == Status::Done {
            out.bytes.extend_from_slice(&self.sent);
            self.machine.accepting = true;
            let at = &mut At { bytes: &mut out.bytes, base, pid };
            status = self.machine.run(rules, at, choice.code.effect);
            self.machine.accepting = false;
        }
        match status {
            Status::Fault(fault) => {
                out.bytes.truncate(base);
                self.fail(self.path(taken), fault, out);
            }
            _ => self.conclude(rules, taken, base, out),
        }
    }

    /// Ends a step whose first transition has been executed in `out.bytes[base..]`.
    fn conclude(&mut self, rules: &Rules, taken: Taken<'_>, base: usize, out: &mut Edges) {
        let Taken { pid, process_type, choice, sender } = taken;
        self.reached[process_type][choice.transition] = true;
        let at = &mut At { bytes: &mut out.bytes, base, pid };
        let alive = at.is_alive();
        if alive {
            self.machine.move_on(rules, at, choice);
        }
        let plain = !choice.enters_step && !choice.keeps && !self.machine.failed_assertion;
        if (plain || !alive && !self.machine.failed_assertion) && self.recorder.is_none() {
            note_last(rules, &mut self.machine, at);
            self.add(out);
            if out.wants_fairness {
                self.take_part(pid, sender.map(|s| s.0), out).meet(out);
            }
        } else {
            self.conclude_slowly(rules, taken, base, out);
        }
    }

    /// A step through a d_step, into an atomic sequence, with a failed assertion, or being
    /// recorded.
    fn conclude_slowly(&mut self, rules: &Rules, taken: Taken<'_>, base: usize, out: &mut Edges) {
        let Taken { pid, choice, sender, .. } = taken;
        let mut path = self.path(taken);
        let movers = match out.wants_fairness {
            true => self.take_part(pid, sender.map(|s| s.0), out),
            false => Pids::default(),
        };
        let mut keeps = choice.keeps;
        let at = &mut At { bytes: &mut out.bytes, base, pid };
        if choice.enters_step && at.is_alive() {
            match self.finish_step(rules, &mut path, at) {
                Ok(kept) => keeps = kept,
                Err(fault) => {
                    out.bytes.truncate(base);
                    return self.fail(path, fault, out);
                }
            }
        }
        note_last(rules, &mut self.machine, at);
        let alive = at.is_alive();
        if self.machine.failed_assertion {
            out.faults.push(path.fault(Fault::Assertion, self.label));
            if let Some(recorder) = &mut self.recorder {
                recorder.fault(path.step());
            }
        }
        if keeps && alive && self.recorder.is_none() {
            match self.go_on(rules, &mut path, base, out) {
                Line::Visible => {
                    self.add(out);
                    return movers.meet(out);
                }
                Line::Branches => {}
                Line::Fault(fault) => {
                    out.bytes.truncate(base);
                    return self.fail(path, fault, out);
                }
            }
        }
        let steps = self.recorder.is_some().then(|| rules.simplified.unfold(path.step(), path.process_type));
        if keeps && (out.bytes[base] as usize) > pid {
            let way = steps.and_then(|s| self.recorder.as_ref().map(|r| r.extended(s)));
            let reached = Reached { pid, label: self.label, movers, steps: way.unwrap_or_default() };
            self.pending.push(&out.bytes[base..], reached);
            out.bytes.truncate(base);
        } else {
            if let (Some(recorder), Some(steps)) = (&mut self.recorder, steps) {
                recorder.successor(steps);
            }
            self.add(out);
            movers.meet(out);
        }
    }

    /// Follows a d_step to its end, in place; whether the process keeps control then.
    fn finish_step(&mut self, rules: &Rules, path: &mut Path, at: &mut At<'_>) -> Result<bool, Fault> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let (mut tortoise, mut rounds, mut power) = (Vec::new(), 0u64, 64u64);
        let mut keeps = false;
        while at.is_alive() {
            let state = at.state();
            let point = rules.point(&mut self.machine, state, path.pid);
            if !point.deterministic {
                break;
            }
            rounds += 1;
            if self.recorder.is_some() {
                // The account must end where the reference stepper ends: at the first state that
                // comes again.
                if seen.iter().any(|s| s == state) {
                    return Err(Fault::StepDiverges);
                }
                seen.push(state.to_vec());
            } else if tortoise == state {
                return Err(Fault::StepDiverges);
            } else if rounds == power {
                power *= 2;
                tortoise = state.to_vec();
            }
            keeps = self.step_inside(rules, path, point, at)?;
        }
        Ok(keeps)
    }

    /// Takes the first transition of a d_step that can go on.
    fn step_inside(
        &mut self,
        rules: &Rules,
        path: &mut Path,
        point: PointCode,
        at: &mut At<'_>,
    ) -> Result<bool, Fault> {
        for choice in rules.tiers(point).flatten() {
            match rules.guard(&mut self.machine, at, choice) {
                Status::Blocked | Status::Offers => continue,
                Status::Fault(fault) => return Err(fault),
                Status::Done => {}
            }
            if let Status::Fault(fault) = self.machine.run(rules, at, choice.code.effect) {
                return Err(fault);
            }
            self.reached[path.process_type][choice.transition] = true;
            path.last = choice.transition;
            if self.recorder.is_some() {
                path.transitions.push(choice.transition);
            }
            if at.is_alive() {
                self.machine.move_on(rules, at, choice);
            }
            return Ok(choice.keeps);
        }
        Err(Fault::StepBlocks)
    }

    /// A step begins with this transition, unless it goes on from inside an atomic sequence.
    fn begin(&mut self, pid: Pid, transition: TransitionId) {
        if !self.inside {
            self.label = label(pid, transition);
        }
    }

    /// What was appended to the bytes is a successor.
    fn add(&self, out: &mut Edges) {
        out.ends.push(out.bytes.len());
        out.labels.push(self.label);
    }

    fn path(&self, Taken { pid, process_type, choice, sender }: Taken<'_>) -> Path {
        let transitions = if self.recorder.is_some() { vec![choice.transition] } else { Vec::new() };
        Path { pid, process_type, transitions, first: choice.transition, last: choice.transition, sender }
    }

    /// Notes a fault that ends the path.
    fn fail(&mut self, path: Path, fault: Fault, out: &mut Edges) {
        out.faults.push(path.fault(fault, self.label));
        if out.wants_fairness {
            self.take_part(path.pid, path.sender.map(|s| s.0), out);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.fault(path.step());
        }
    }

    /// The frames table belongs to `state` again, in case a process was created on the way to a
    /// successor.
    fn attend_again(&mut self, rules: &Rules, state: &[u8]) {
        if self.machine.frames.len() != state[0] as usize {
            self.machine.attend(&rules.tables, state);
        }
    }

    /// Who has moved when these do next; a move from the state expanded shows that they can begin
    /// one.
    fn take_part(&self, pid: Pid, sender: Option<Pid>, out: &mut Edges) -> Pids {
        let mut movers = self.way;
        let begins = movers.is_empty();
        for mover in std::iter::once(pid).chain(sender) {
            movers.insert(mover);
            if begins {
                Pids::ask(mover, out);
            }
        }
        movers
    }

    pub fn is_valid_end(&mut self, rules: &Rules, state: &[u8]) -> bool {
        (0..state[0] as usize).all(|pid| rules.point(&mut self.machine, state, pid).valid_end)
    }
}

/// Who moved last changes when the step is over.
pub fn note_last(rules: &Rules, machine: &mut Machine, at: &mut At<'_>) {
    if let Some(offset) = rules.tables.layout.last {
        machine.trace.note(offset);
        at.bytes[at.base + offset] = at.pid as u8;
    }
}
