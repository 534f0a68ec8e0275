//! The work of a stepper: what changes while states are expanded.
//!
//! All successors of a state are made at once, each in place behind the others in one buffer.
//! States inside an atomic sequence are not successors: they wait in `pending` and are expanded by
//! their process alone, along every path, until the sequence ends or blocks. The order is last in,
//! first out, so the way to the pending state at work is at hand; coming back to a state of a long
//! way means an atomic sequence that never ends, and that path is cut.

use crate::atomic::Line;
use crate::enabled::Receiver;
use crate::machine::{Machine, Status};
use crate::pending::Pending;
use crate::pids::Pids;
use crate::record::Recorder;
use crate::rules::{Choice, Rules};
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
    /// By template and transition of the simplified system: whether it was ever executed.
    pub reached: Vec<Vec<bool>>,
}

/// A step in the making.
pub struct Path {
    pub pid: Pid,
    pub template: usize,
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
        let place = (self.template as u64) << 32 | transition as u64;
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
        self.machine.timeout = timeout;
        let mut moved = false;
        for pid in 0..state[0] as usize {
            moved |= self.expand_process(rules, state, pid, out);
            if !self.pending.is_empty() {
                self.machine.timeout = false;
                self.drain(rules, out);
                self.machine.timeout = timeout;
                self.machine.attend(&rules.tables, state);
            }
        }
        self.machine.timeout = false;
        moved
    }

    /// Expands the states inside atomic sequences until none is left.
    fn drain(&mut self, rules: &Rules, out: &mut Edges) {
        let mut state = std::mem::take(&mut self.pending.current);
        self.inside = true;
        while let Some((pid, label, movers, steps)) = self.pending.pop(&mut state) {
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
        let (template, point) = rules.position(&self.machine, state, 0, pid);
        if rules.templates[template].provided.is_some() {
            match rules.is_provided(&mut self.machine, state, 0, pid) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(fault) => {
                    self.begin(pid, usize::MAX);
                    self.fail(
                        rules,
                        state,
                        Path { pid, template, transitions: vec![], first: 0, last: 0, sender: None },
                        fault,
                        out,
                    );
                    return true;
                }
            }
        }
        if rules.priorities && rules.is_outranked(&mut self.machine, state, 0, pid) {
            return false;
        }
        let tiers = rules.templates[template].points[point].tiers;
        for tier in tiers.0..tiers.1 {
            let (start, end) = rules.tiers[tier as usize];
            let mut moved = false;
            for k in start..end {
                let choice = &rules.choices[k as usize];
                if !(choice.otherwise && moved) {
                    moved |= self.attempt(rules, state, pid, template, choice, out);
                }
            }
            if moved {
                return true;
            }
        }
        false
    }

    /// Executes a transition if it is enabled; whether it was.
    fn attempt(
        &mut self,
        rules: &Rules,
        state: &mut Vec<u8>,
        pid: Pid,
        template: usize,
        choice: &Choice,
        out: &mut Edges,
    ) -> bool {
        self.begin(pid, choice.transition);
        match rules.guard(&mut self.machine, state, 0, pid, choice) {
            Status::Done => {}
            Status::Blocked => return false,
            Status::Offers => return self.handshakes(rules, state, pid, template, choice, out),
            Status::Fault(fault) => {
                self.fail(rules, state, self.path(pid, template, choice, None), fault, out);
                return true;
            }
        }
        let base = out.bytes.len();
        out.bytes.extend_from_slice(state);
        self.machine.failed_assertion = false;
        match self.machine.run(rules, &mut out.bytes, base, pid, choice.code.effect) {
            Status::Done => {
                self.conclude(rules, state, pid, template, choice, None, base, out);
                true
            }
            Status::Fault(fault) => {
                out.bytes.truncate(base);
                self.fail(rules, state, self.path(pid, template, choice, None), fault, out);
                true
            }
            Status::Blocked | Status::Offers => {
                out.bytes.truncate(base);
                self.attend_again(rules, state);
                false
            }
        }
    }

    /// Every way in which another process takes the offer of a send; whether there is one.
    fn handshakes(
        &mut self,
        rules: &Rules,
        state: &[u8],
        pid: Pid,
        template: usize,
        choice: &Choice,
        out: &mut Edges,
    ) -> bool {
        if choice.enters_step {
            self.fail(rules, state, self.path(pid, template, choice, None), Fault::StepBlocks, out);
            return true;
        }
        let mut sent = std::mem::take(&mut self.sent);
        sent.clear();
        sent.extend_from_slice(state);
        self.machine.failed_assertion = false;
        if let Status::Fault(fault) = self.machine.run(rules, &mut sent, 0, pid, choice.code.effect) {
            self.sent = sent;
            self.fail(rules, state, self.path(pid, template, choice, None), fault, out);
            return true;
        }
        let failed = self.machine.failed_assertion;
        let frame = self.machine.frames[pid] as usize;
        rules.tables.layout.set_point(&mut sent, frame, choice.code.post as usize);
        let receivers = rules.receivers(&mut self.machine, &mut sent, pid);
        if let (Some(channel), false) = (self.machine.offered, receivers.is_empty()) {
            self.machine.note_use(channel, true, pid);
        }
        for receiver in &receivers {
            self.reached[template][choice.transition] = true;
            self.machine.failed_assertion = failed;
            self.receive(rules, state, &sent, receiver, (pid, choice.transition), out);
        }
        self.sent = sent;
        !receivers.is_empty()
    }

    /// The receiving half of a handshake.
    fn receive(
        &mut self,
        rules: &Rules,
        state: &[u8],
        sent: &[u8],
        receiver: &Receiver,
        sender: (Pid, TransitionId),
        out: &mut Edges,
    ) {
        let Receiver { pid, choice, status } = receiver;
        if !self.inside {
            self.label = handshake(self.label, *pid, choice.transition);
        }
        let (template, _) = rules.position(&self.machine, sent, 0, *pid);
        let base = out.bytes.len();
        let mut status = *status;
        if status == Status::Done {
            out.bytes.extend_from_slice(sent);
            self.machine.accepting = true;
            status = self.machine.run(rules, &mut out.bytes, base, *pid, choice.code.effect);
            self.machine.accepting = false;
        }
        match status {
            Status::Fault(fault) => {
                out.bytes.truncate(base);
                self.fail(rules, state, self.path(*pid, template, choice, Some(sender)), fault, out);
            }
            _ => self.conclude(rules, state, *pid, template, choice, Some(sender), base, out),
        }
    }

    /// Ends a step whose first transition has been executed in `out.bytes[base..]`.
    #[allow(clippy::too_many_arguments)]
    fn conclude(
        &mut self,
        rules: &Rules,
        state: &[u8],
        pid: Pid,
        template: usize,
        choice: &Choice,
        sender: Option<(Pid, TransitionId)>,
        base: usize,
        out: &mut Edges,
    ) {
        self.reached[template][choice.transition] = true;
        let alive = (out.bytes[base] as usize) > pid;
        if alive {
            let frame = base + self.machine.frames[pid] as usize;
            rules.tables.layout.set_point(&mut out.bytes, frame, choice.code.post as usize);
        }
        let plain = !choice.enters_step && !choice.keeps && !self.machine.failed_assertion;
        if (plain || !alive && !self.machine.failed_assertion) && self.recorder.is_none() {
            note_last(rules, pid, &mut out.bytes[base..]);
            self.add(out);
            if out.wants_fairness {
                self.take_part(pid, sender.map(|s| s.0), out).meet(out);
            }
        } else {
            let path = self.path(pid, template, choice, sender);
            self.conclude_slowly(rules, state, path, choice, base, out);
        }
        self.attend_again(rules, state);
    }

    /// A step through a d_step, into an atomic sequence, with a failed assertion, or being
    /// recorded.
    fn conclude_slowly(
        &mut self,
        rules: &Rules,
        state: &[u8],
        mut path: Path,
        choice: &Choice,
        base: usize,
        out: &mut Edges,
    ) {
        let movers = if out.wants_fairness {
            self.take_part(path.pid, path.sender.map(|s| s.0), out)
        } else {
            Pids::default()
        };
        let is_alive = |out: &Edges| (out.bytes[base] as usize) > path.pid;
        let mut keeps = choice.keeps;
        if choice.enters_step && is_alive(out) {
            match self.finish_step(rules, &mut path, base, &mut out.bytes) {
                Ok(kept) => keeps = kept,
                Err(fault) => {
                    out.bytes.truncate(base);
                    return self.fail(rules, state, path, fault, out);
                }
            }
        }
        note_last(rules, path.pid, &mut out.bytes[base..]);
        if self.machine.failed_assertion {
            out.faults.push(path.fault(Fault::Assertion, self.label));
            if let Some(recorder) = &mut self.recorder {
                recorder.fault(path.step());
            }
        }
        if keeps && (out.bytes[base] as usize) > path.pid && self.recorder.is_none() {
            match self.go_on(rules, &mut path, base, out) {
                Line::Visible => {
                    self.add(out);
                    return movers.meet(out);
                }
                Line::Branches => {}
                Line::Fault(fault) => {
                    out.bytes.truncate(base);
                    return self.fail(rules, state, path, fault, out);
                }
            }
        }
        let steps = self.recorder.is_some().then(|| rules.simplified.unfold(path.step(), path.template));
        if keeps && (out.bytes[base] as usize) > path.pid {
            let way = steps.and_then(|s| self.recorder.as_ref().map(|r| r.extended(s)));
            self.pending.push(&out.bytes[base..], path.pid, self.label, movers, way.unwrap_or_default());
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
    fn finish_step(
        &mut self,
        rules: &Rules,
        path: &mut Path,
        base: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<bool, Fault> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let (mut tortoise, mut rounds, mut power) = (Vec::new(), 0u64, 64u64);
        let mut keeps = false;
        while (bytes[base] as usize) > path.pid {
            let point = rules.point(&self.machine, bytes, base, path.pid);
            if !point.deterministic {
                break;
            }
            rounds += 1;
            if self.recorder.is_some() {
                // The account must end where the reference stepper ends: at the first state that
                // comes again.
                if seen.iter().any(|s| s[..] == bytes[base..]) {
                    return Err(Fault::StepDiverges);
                }
                seen.push(bytes[base..].to_vec());
            } else if tortoise[..] == bytes[base..] {
                return Err(Fault::StepDiverges);
            } else if rounds == power {
                power *= 2;
                tortoise = bytes[base..].to_vec();
            }
            let (from, to) = (point.tiers.0 as usize, point.tiers.1 as usize);
            keeps = self.step_inside(rules, path, from..to, base, bytes)?;
        }
        Ok(keeps)
    }

    /// Takes the first transition of a d_step that can go on.
    fn step_inside(
        &mut self,
        rules: &Rules,
        path: &mut Path,
        tiers: std::ops::Range<usize>,
        base: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<bool, Fault> {
        let choices = tiers.flat_map(|tier| rules.tiers[tier].0..rules.tiers[tier].1);
        for k in choices {
            let choice = &rules.choices[k as usize];
            match rules.guard(&mut self.machine, bytes, base, path.pid, choice) {
                Status::Blocked | Status::Offers => continue,
                Status::Fault(fault) => return Err(fault),
                Status::Done => {}
            }
            if let Status::Fault(fault) = self.machine.run(rules, bytes, base, path.pid, choice.code.effect) {
                return Err(fault);
            }
            self.reached[path.template][choice.transition] = true;
            path.last = choice.transition;
            if self.recorder.is_some() {
                path.transitions.push(choice.transition);
            }
            if (bytes[base] as usize) > path.pid {
                let frame = base + self.machine.frames[path.pid] as usize;
                rules.tables.layout.set_point(bytes, frame, choice.code.post as usize);
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

    fn path(&self, pid: Pid, template: usize, choice: &Choice, sender: Option<(Pid, TransitionId)>) -> Path {
        let transitions = if self.recorder.is_some() { vec![choice.transition] } else { Vec::new() };
        Path { pid, template, transitions, first: choice.transition, last: choice.transition, sender }
    }

    /// Notes a fault that ends the path, and turns back to `state`.
    fn fail(&mut self, rules: &Rules, state: &[u8], path: Path, fault: Fault, out: &mut Edges) {
        out.faults.push(path.fault(fault, self.label));
        if out.wants_fairness {
            self.take_part(path.pid, path.sender.map(|s| s.0), out);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.fault(path.step());
        }
        self.attend_again(rules, state);
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

    pub fn is_valid_end(&self, rules: &Rules, state: &[u8]) -> bool {
        (0..state[0] as usize).all(|pid| rules.point(&self.machine, state, 0, pid).valid_end)
    }
}

/// Who moved last changes when the step is over.
pub fn note_last(rules: &Rules, pid: Pid, state: &mut [u8]) {
    if let Some(at) = rules.tables.layout.last {
        state[at] = pid as u8;
    }
}
