//! The stepper over packed states.
//!
//! All successors of a state are made at once, each in place behind the others in one buffer. States inside an atomic
//! sequence are not successors: they wait in `pending` and are expanded by their process alone, along every path,
//! until the sequence ends or blocks. The order is last in, first out, so the way to the pending state at work is at hand;
//! coming back to a state of a long way means an atomic sequence that never ends, and that path is cut.

use crate::constant::constant_globals;
use crate::emit::Emitter;
use crate::enabled::Receiver;
use crate::layout::{Layout, NotFinite};
use crate::machine::{Machine, Status, Tables, Uses};
use crate::pending::Pending;
use crate::record::Recorder;
use crate::rules::{Choice, Rules, reads};
use crate::simplify::Simplified;
use system::stepper::{FaultAt, Goal, Rest, Stepper, Successors};
use system::{Fault, Pid, Read, Step, TransitionId};

/// A compiled system.
pub struct Program {
    rules: Rules,
    machine: Machine,
    /// Code that makes the initial state out of nothing.
    birth: u32,
    current: Vec<u8>,
    sent: Vec<u8>,
    pending: Pending,
    recorder: Option<Recorder>,
    /// By template and transition of the simplified system: whether it was ever executed.
    reached: Vec<Vec<bool>>,
    simplified: Simplified,
}

/// A step in the making.
struct Path {
    pid: Pid,
    template: usize,
    /// Filled only when recording.
    transitions: Vec<TransitionId>,
    last: TransitionId,
    sender: Option<(Pid, TransitionId)>,
}

impl Path {
    fn step(&self) -> Step {
        let path = self.transitions.clone();
        match self.sender {
            None => Step { process: self.pid, path, partner: None },
            Some((process, send)) => Step { process, path: vec![send], partner: Some((self.pid, path)) },
        }
    }

    fn fault(&self, fault: Fault) -> FaultAt {
        FaultAt { fault, process: self.pid, template: self.template, transition: self.last }
    }
}

impl Program {
    pub fn new(simplified: Simplified) -> Result<Program, NotFinite> {
        let system = &simplified.system;
        let layout = Layout::of(system, reads(system, &|r| *r == Read::Last))?;
        let constants = constant_globals(system);
        let mut emitter = Emitter {
            system,
            layout: &layout,
            constants: &constants,
            code: Vec::new(),
            patterns: Vec::new(),
            template: None,
        };
        let mut rules = Rules::of(&mut emitter, Tables::of(system, layout.clone()))?;
        for (id, template) in system.templates.iter().enumerate() {
            emitter.template = Some(id);
            rules.tables.births.push(emitter.birth(&template.objects)?);
        }
        emitter.template = None;
        let birth = emitter.initial_state()?;
        rules.tables.code = emitter.code;
        rules.tables.patterns = emitter.patterns;
        let mut machine = Machine::new();
        let channels = rules.tables.channels.len();
        machine.uses = (!system.exclusive.is_empty()).then(|| Uses::of(channels));
        let reached = system.templates.iter().map(|t| vec![false; t.transitions.len()]).collect();
        Ok(Program {
            rules,
            machine,
            birth,
            current: Vec::new(),
            sent: Vec::new(),
            pending: Pending::default(),
            recorder: None,
            reached,
            simplified,
        })
    }

    /// By template and transition of the original system: whether it was ever executed.
    pub fn reached(&self) -> Vec<Vec<bool>> {
        let mut reached: Vec<Vec<bool>> = self.reached.iter().map(|t| vec![false; t.len()]).collect();
        for (template, transitions) in self.reached.iter().enumerate() {
            for (t, _) in transitions.iter().enumerate().filter(|(_, executed)| **executed) {
                self.simplified.origins[template][t].iter().for_each(|o| reached[template][*o] = true);
            }
        }
        reached
    }

    /// The channel uses seen, if the system claims exclusive ones: (channel layout, sends, process).
    pub fn uses(&self) -> impl Iterator<Item = (usize, bool, Pid)> {
        self.machine.uses.iter().flat_map(Uses::iter)
    }

    /// Expands `state` by every process; whether any could move.
    fn expand_all(&mut self, state: &mut Vec<u8>, timeout: bool, out: &mut Successors) -> bool {
        self.machine.timeout = timeout;
        let mut moved = false;
        for pid in 0..state[0] as usize {
            moved |= self.expand_process(state, pid, out);
            if !self.pending.is_empty() {
                self.machine.timeout = false;
                self.drain(out);
                self.machine.timeout = timeout;
                self.machine.attend(&self.rules.tables, state);
            }
        }
        self.machine.timeout = false;
        moved
    }

    /// Expands the states inside atomic sequences until none is left.
    fn drain(&mut self, out: &mut Successors) {
        let mut state = std::mem::take(&mut self.pending.current);
        while let Some((pid, steps)) = self.pending.pop(&mut state) {
            if self.pending.comes_back(pid, &state) {
                continue;
            }
            if let Some(recorder) = &mut self.recorder {
                recorder.prefix = steps;
            }
            self.machine.attend(&self.rules.tables, &state);
            if !self.expand_process(&mut state, pid, out) {
                out.bytes.extend_from_slice(&state);
                out.ends.push(out.bytes.len());
                if let Some(recorder) = &mut self.recorder {
                    recorder.stays();
                }
            }
        }
        self.pending.current = state;
        self.pending.forget_way();
        if let Some(recorder) = &mut self.recorder {
            recorder.prefix.clear();
        }
    }

    /// Expands `state` by one process; whether it could move.
    fn expand_process(&mut self, state: &mut Vec<u8>, pid: Pid, out: &mut Successors) -> bool {
        let (template, point) = self.rules.position(&self.machine, state, 0, pid);
        if self.rules.templates[template].provided.is_some() {
            match self.rules.is_provided(&mut self.machine, state, 0, pid) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(fault) => {
                    self.fail(
                        state,
                        Path { pid, template, transitions: vec![], last: 0, sender: None },
                        fault,
                        out,
                    );
                    return true;
                }
            }
        }
        if self.rules.priorities && self.rules.is_outranked(&mut self.machine, state, 0, pid) {
            return false;
        }
        let tiers = self.rules.templates[template].points[point].tiers;
        for tier in tiers.0..tiers.1 {
            let (start, end) = self.rules.tiers[tier as usize];
            let mut moved = false;
            for k in start..end {
                let choice = self.rules.choices[k as usize];
                if !(choice.otherwise && moved) {
                    moved |= self.attempt(state, pid, template, &choice, out);
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
        state: &mut Vec<u8>,
        pid: Pid,
        template: usize,
        choice: &Choice,
        out: &mut Successors,
    ) -> bool {
        match self.rules.guard(&mut self.machine, state, 0, pid, choice) {
            Status::Done => {}
            Status::Blocked => return false,
            Status::Offers => return self.handshakes(state, pid, template, choice, out),
            Status::Fault(fault) => {
                self.fail(state, self.path(pid, template, choice, None), fault, out);
                return true;
            }
        }
        let base = out.bytes.len();
        out.bytes.extend_from_slice(state);
        self.machine.failed_assertion = false;
        match self.machine.run(&self.rules, &mut out.bytes, base, pid, choice.code.effect) {
            Status::Done => {
                self.conclude(state, pid, template, choice, None, base, out);
                true
            }
            Status::Fault(fault) => {
                out.bytes.truncate(base);
                self.fail(state, self.path(pid, template, choice, None), fault, out);
                true
            }
            Status::Blocked | Status::Offers => {
                out.bytes.truncate(base);
                self.attend_again(state);
                false
            }
        }
    }

    /// Every way in which another process takes the offer of a send; whether there is one.
    fn handshakes(
        &mut self,
        state: &[u8],
        pid: Pid,
        template: usize,
        choice: &Choice,
        out: &mut Successors,
    ) -> bool {
        if choice.enters_step {
            self.fail(state, self.path(pid, template, choice, None), Fault::StepBlocks, out);
            return true;
        }
        let mut sent = std::mem::take(&mut self.sent);
        sent.clear();
        sent.extend_from_slice(state);
        self.machine.failed_assertion = false;
        if let Status::Fault(fault) = self.machine.run(&self.rules, &mut sent, 0, pid, choice.code.effect) {
            self.sent = sent;
            self.fail(state, self.path(pid, template, choice, None), fault, out);
            return true;
        }
        let failed = self.machine.failed_assertion;
        let frame = self.machine.frames[pid] as usize;
        self.rules.tables.layout.set_point(&mut sent, frame, choice.code.post as usize);
        let receivers = self.rules.receivers(&mut self.machine, &mut sent, pid);
        for receiver in &receivers {
            self.reached[template][choice.transition] = true;
            self.machine.failed_assertion = failed;
            self.receive(state, &sent, receiver, (pid, choice.transition), out);
        }
        self.sent = sent;
        !receivers.is_empty()
    }

    /// The receiving half of a handshake.
    fn receive(
        &mut self,
        state: &[u8],
        sent: &[u8],
        receiver: &Receiver,
        sender: (Pid, TransitionId),
        out: &mut Successors,
    ) {
        let Receiver { pid, choice, status } = receiver;
        let (template, _) = self.rules.position(&self.machine, sent, 0, *pid);
        let base = out.bytes.len();
        let mut status = *status;
        if status == Status::Done {
            out.bytes.extend_from_slice(sent);
            self.machine.accepting = true;
            status = self.machine.run(&self.rules, &mut out.bytes, base, *pid, choice.code.effect);
            self.machine.accepting = false;
        }
        match status {
            Status::Fault(fault) => {
                out.bytes.truncate(base);
                self.fail(state, self.path(*pid, template, choice, Some(sender)), fault, out);
            }
            _ => self.conclude(state, *pid, template, choice, Some(sender), base, out),
        }
    }

    /// Ends a step whose first transition has been executed in `out.bytes[base..]`.
    #[allow(clippy::too_many_arguments)]
    fn conclude(
        &mut self,
        state: &[u8],
        pid: Pid,
        template: usize,
        choice: &Choice,
        sender: Option<(Pid, TransitionId)>,
        base: usize,
        out: &mut Successors,
    ) {
        self.reached[template][choice.transition] = true;
        let alive = (out.bytes[base] as usize) > pid;
        if alive {
            let frame = base + self.machine.frames[pid] as usize;
            self.rules.tables.layout.set_point(&mut out.bytes, frame, choice.code.post as usize);
        }
        if let Some(at) = self.rules.tables.layout.last {
            out.bytes[base + at] = pid as u8;
        }
        let plain = !choice.enters_step && !choice.keeps && !self.machine.failed_assertion;
        if (plain || !alive && !self.machine.failed_assertion) && self.recorder.is_none() {
            out.ends.push(out.bytes.len());
        } else {
            let path = self.path(pid, template, choice, sender);
            self.conclude_slowly(state, path, choice, base, out);
        }
        self.attend_again(state);
    }

    /// A step through a d_step, into an atomic sequence, with a failed assertion, or being recorded.
    fn conclude_slowly(
        &mut self,
        state: &[u8],
        mut path: Path,
        choice: &Choice,
        base: usize,
        out: &mut Successors,
    ) {
        let is_alive = |out: &Successors| (out.bytes[base] as usize) > path.pid;
        let mut keeps = choice.keeps;
        if choice.enters_step && is_alive(out) {
            match self.finish_step(&mut path, base, &mut out.bytes) {
                Ok(kept) => keeps = kept,
                Err(fault) => {
                    out.bytes.truncate(base);
                    return self.fail(state, path, fault, out);
                }
            }
        }
        if self.machine.failed_assertion {
            out.faults.push(path.fault(Fault::Assertion));
            if let Some(recorder) = &mut self.recorder {
                recorder.fault(path.step());
            }
        }
        let steps = self.recorder.is_some().then(|| self.simplified.unfold(path.step(), path.template));
        if keeps && (out.bytes[base] as usize) > path.pid {
            let way = steps.and_then(|s| self.recorder.as_ref().map(|r| r.extended(s)));
            self.pending.push(&out.bytes[base..], path.pid, way.unwrap_or_default());
            out.bytes.truncate(base);
        } else {
            if let (Some(recorder), Some(steps)) = (&mut self.recorder, steps) {
                recorder.successor(steps);
            }
            out.ends.push(out.bytes.len());
        }
    }

    /// Follows a d_step to its end, in place; whether the process keeps control then.
    fn finish_step(&mut self, path: &mut Path, base: usize, bytes: &mut Vec<u8>) -> Result<bool, Fault> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let (mut tortoise, mut rounds, mut power) = (Vec::new(), 0u64, 64u64);
        let mut keeps = false;
        while (bytes[base] as usize) > path.pid {
            let point = self.rules.point(&self.machine, bytes, base, path.pid);
            if !point.deterministic {
                break;
            }
            rounds += 1;
            if self.recorder.is_some() {
                // The account must end where the reference stepper ends: at the first state that comes again.
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
            keeps = self.step_inside(path, from..to, base, bytes)?;
        }
        Ok(keeps)
    }

    /// Takes the first transition of a d_step that can go on.
    fn step_inside(
        &mut self,
        path: &mut Path,
        tiers: std::ops::Range<usize>,
        base: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<bool, Fault> {
        let choices = tiers.flat_map(|tier| self.rules.tiers[tier].0..self.rules.tiers[tier].1);
        for k in choices {
            let choice = self.rules.choices[k as usize];
            match self.rules.guard(&mut self.machine, bytes, base, path.pid, &choice) {
                Status::Blocked | Status::Offers => continue,
                Status::Fault(fault) => return Err(fault),
                Status::Done => {}
            }
            if let Status::Fault(fault) =
                self.machine.run(&self.rules, bytes, base, path.pid, choice.code.effect)
            {
                return Err(fault);
            }
            self.reached[path.template][choice.transition] = true;
            path.last = choice.transition;
            if self.recorder.is_some() {
                path.transitions.push(choice.transition);
            }
            if (bytes[base] as usize) > path.pid {
                let frame = base + self.machine.frames[path.pid] as usize;
                self.rules.tables.layout.set_point(bytes, frame, choice.code.post as usize);
            }
            return Ok(choice.keeps);
        }
        Err(Fault::StepBlocks)
    }

    fn path(&self, pid: Pid, template: usize, choice: &Choice, sender: Option<(Pid, TransitionId)>) -> Path {
        let transitions = if self.recorder.is_some() { vec![choice.transition] } else { Vec::new() };
        Path { pid, template, transitions, last: choice.transition, sender }
    }

    /// Notes a fault that ends the path, and turns back to `state`.
    fn fail(&mut self, state: &[u8], path: Path, fault: Fault, out: &mut Successors) {
        out.faults.push(path.fault(fault));
        if let Some(recorder) = &mut self.recorder {
            recorder.fault(path.step());
        }
        self.attend_again(state);
    }

    /// The frames table belongs to `state` again, in case a process was created on the way to a successor.
    fn attend_again(&mut self, state: &[u8]) {
        if self.machine.frames.len() != state[0] as usize {
            self.machine.attend(&self.rules.tables, state);
        }
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        (0..state[0] as usize).all(|pid| self.rules.point(&self.machine, state, 0, pid).valid_end)
    }
}

impl Stepper for Program {
    fn initial(&mut self) -> Result<Vec<u8>, Fault> {
        let mut state = vec![0; self.rules.tables.layout.globals.size];
        self.machine.frames.clear();
        self.machine.stack.clear();
        match self.machine.run(&self.rules, &mut state, 0, 0, self.birth) {
            Status::Fault(fault) => Err(fault),
            _ => Ok(state),
        }
    }

    fn expand(&mut self, state: &[u8], out: &mut Successors) -> Rest {
        let mut current = std::mem::take(&mut self.current);
        current.clear();
        current.extend_from_slice(state);
        self.machine.attend(&self.rules.tables, state);
        let moved = self.expand_all(&mut current, false, out)
            || self.rules.uses_timeout && self.expand_all(&mut current, true, out);
        self.current = current;
        match moved {
            true => Rest::Moves,
            false if self.is_valid_end(state) => Rest::End,
            false => Rest::Deadlock,
        }
    }

    fn explain(&mut self, state: &[u8], goal: Goal<'_>) -> Option<Vec<Step>> {
        self.recorder = Some(Recorder::default());
        let mut out = Successors::default();
        self.expand(state, &mut out);
        let recorder = self.recorder.take()?;
        match goal {
            Goal::State(wanted) => recorder.successor_steps(out.iter().position(|s| s == wanted)?),
            Goal::Fault(wanted) => recorder.fault_steps(out.faults.iter().position(|f| *f == wanted)?),
        }
    }
}
