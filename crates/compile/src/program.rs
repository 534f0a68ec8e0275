//! The stepper over packed states.
//!
//! All successors of a state are made at once, each in place behind the others in one buffer. States inside an atomic
//! sequence are not successors: they wait in `pending` and are expanded by their process alone, along every path,
//! until the sequence ends or blocks. The order is last in, first out, so the way to the pending state at work lies in
//! `way`; coming back to a state of the way means an atomic sequence that never ends, and that path is cut.

use crate::constant::constant_globals;
use crate::emit::Emitter;
use crate::layout::{Layout, NotFinite};
use crate::machine::{Machine, Status, Tables};
use crate::record::Recorder;
use crate::rules::{Rules, reads};
use crate::simplify::Simplified;
use system::stepper::{FaultAt, Goal, Rest, Stepper, Successors};
use system::{Fault, Pid, Read, Step, TransitionId};

/// A compiled system.
pub struct Program {
    machine: Machine,
    rules: Rules,
    /// Code that makes the initial state out of nothing.
    birth: u32,
    scratch: Vec<u8>,
    pending: Vec<Pending>,
    /// The states on the way from the one being expanded to the pending one at work.
    way: Vec<Vec<u8>>,
    recorder: Option<Recorder>,
    /// By template and transition of the simplified system: whether it was ever executed.
    reached: Vec<Vec<bool>>,
    simplified: Simplified,
}

/// A state inside an atomic sequence.
struct Pending {
    state: Vec<u8>,
    pid: Pid,
    depth: usize,
    steps: Vec<Step>,
}

/// After this many atomic steps in a row, coming back to a state is looked for.
const PATIENCE: usize = 32;

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
        let rules = Rules::of(&mut emitter)?;
        let mut births = Vec::new();
        for (id, template) in system.templates.iter().enumerate() {
            emitter.template = Some(id);
            births.push(emitter.birth(&template.objects)?);
        }
        emitter.template = None;
        let birth = emitter.initial_state()?;
        let (code, patterns) = (emitter.code, emitter.patterns);
        let tables = Tables { code, patterns, births, ..Tables::of(system, layout) };
        let mut machine = Machine::new(tables);
        machine.uses = (!system.exclusive.is_empty()).then(Default::default);
        let reached = system.templates.iter().map(|t| vec![false; t.transitions.len()]).collect();
        Ok(Program {
            machine,
            rules,
            birth,
            scratch: Vec::new(),
            pending: Vec::new(),
            way: Vec::new(),
            recorder: None,
            reached,
            simplified,
        })
    }

    /// Expands `state` by one process; whether it could move.
    fn expand_process(&mut self, state: &mut Vec<u8>, pid: Pid, out: &mut Successors) -> bool {
        match self.rules.is_provided(&mut self.machine, state, 0, pid) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(fault) => {
                self.report(state, pid, None, fault, out);
                return true;
            }
        }
        if self.rules.priorities && self.rules.is_outranked(&mut self.machine, state, 0, pid) {
            return false;
        }
        let (template, point) = self.rules.position(&self.machine, state, 0, pid);
        for tier in 0..self.rules.templates[template].points[point].tiers.len() {
            let mut moved = false;
            for k in 0..self.rules.templates[template].points[point].tiers[tier].len() {
                let choice = self.rules.templates[template].points[point].tiers[tier][k];
                if !(choice.otherwise && moved) {
                    moved |= self.try_transition(state, pid, template, choice.transition, out);
                }
            }
            if moved {
                return true;
            }
        }
        false
    }

    /// Executes a transition if it is enabled; whether it was.
    fn try_transition(
        &mut self,
        state: &mut Vec<u8>,
        pid: Pid,
        template: usize,
        transition: TransitionId,
        out: &mut Successors,
    ) -> bool {
        let code = self.rules.templates[template].transitions[transition];
        match self.rules.guard(&mut self.machine, state, 0, pid, &code) {
            Status::Blocked => return false,
            Status::Offers => return self.handshakes(state, pid, template, transition, out),
            Status::Fault(fault) => {
                self.report(state, pid, Some(transition), fault, out);
                return true;
            }
            Status::Done => {}
        }
        let base = out.bytes.len();
        out.bytes.extend_from_slice(state);
        self.machine.failed_assertion = false;
        match self.rules.effect(&mut self.machine, &mut out.bytes, base, pid, &code) {
            Status::Done => {}
            Status::Fault(fault) => {
                out.bytes.truncate(base);
                self.attend_if_changed(state);
                self.report(state, pid, Some(transition), fault, out);
                return true;
            }
            Status::Blocked | Status::Offers => {
                out.bytes.truncate(base);
                self.attend_if_changed(state);
                return false;
            }
        }
        self.conclude(state, pid, (template, transition), None, base, out);
        true
    }

    /// Every way in which another process takes the offer of a send.
    fn handshakes(
        &mut self,
        state: &[u8],
        pid: Pid,
        template: usize,
        transition: TransitionId,
        out: &mut Successors,
    ) -> bool {
        let code = self.rules.templates[template].transitions[transition];
        if self.rules.templates[template].points[code.post as usize].deterministic {
            self.report(state, pid, Some(transition), Fault::StepBlocks, out);
            return true;
        }
        let mut sent = std::mem::take(&mut self.scratch);
        sent.clear();
        sent.extend_from_slice(state);
        self.machine.failed_assertion = false;
        if let Status::Fault(fault) = self.rules.effect(&mut self.machine, &mut sent, 0, pid, &code) {
            self.scratch = sent;
            self.report(state, pid, Some(transition), fault, out);
            return true;
        }
        let failed = self.machine.failed_assertion;
        let frame = self.machine.frames[pid] as usize;
        self.machine.tables.layout.set_point(&mut sent, frame, code.post as usize);
        let receivers = self.rules.receivers(&mut self.machine, &mut sent, 0, pid);
        for (other, receive, status) in &receivers {
            let (receiver, _) = self.rules.position(&self.machine, &sent, 0, *other);
            self.mark(template, transition);
            let sender = Some((pid, transition));
            if let Status::Fault(fault) = status {
                self.report_handshake(state, sender, (*other, *receive), *fault, out);
                continue;
            }
            let base = out.bytes.len();
            out.bytes.extend_from_slice(&sent);
            self.machine.failed_assertion = failed;
            match self.receive(&mut out.bytes, base, *other, receiver, *receive) {
                Status::Fault(fault) => {
                    out.bytes.truncate(base);
                    self.attend_if_changed(state);
                    self.report_handshake(state, sender, (*other, *receive), fault, out);
                }
                _ => self.conclude(state, *other, (receiver, *receive), sender, base, out),
            }
        }
        self.scratch = sent;
        !receivers.is_empty()
    }

    /// The receiving half of a handshake: finds the offer again, then takes it.
    fn receive(
        &mut self,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
        template: usize,
        transition: TransitionId,
    ) -> Status {
        let code = self.rules.templates[template].transitions[transition];
        self.machine.accepting = true;
        let status = self.rules.effect(&mut self.machine, bytes, base, pid, &code);
        self.machine.accepting = false;
        status
    }

    /// Ends a step whose first transition has been executed in `out.bytes[base..]`.
    fn conclude(
        &mut self,
        state: &[u8],
        pid: Pid,
        (template, transition): (usize, TransitionId),
        sender: Option<(Pid, TransitionId)>,
        base: usize,
        out: &mut Successors,
    ) {
        self.mark(template, transition);
        let mut path = Path { pid, transitions: Vec::new(), last: transition, sender };
        if self.recorder.is_some() {
            path.transitions.push(transition);
        }
        let code = self.rules.templates[template].transitions[transition];
        let alive = (out.bytes[base] as usize) > pid;
        if alive {
            let frame = base + self.machine.frames[pid] as usize;
            self.machine.tables.layout.set_point(&mut out.bytes, frame, code.post as usize);
            if self.rules.templates[template].points[code.post as usize].deterministic
                && let Err(fault) = self.finish_step(&mut path, base, out)
            {
                out.bytes.truncate(base);
                self.attend_if_changed(state);
                let at = FaultAt { fault, process: pid, template, transition: path.last };
                self.note_fault(at, path.step(), out);
                return;
            }
        }
        if self.machine.failed_assertion {
            let at = FaultAt { fault: Fault::Assertion, process: pid, template, transition: path.last };
            self.note_fault(at, path.step(), out);
        }
        if let Some(at) = self.machine.tables.layout.last {
            out.bytes[base + at] = pid as u8;
        }
        let alive = (out.bytes[base] as usize) > pid;
        if alive && self.rules.templates[template].keeps[path.last] {
            self.postpone(&path, template, base, out);
        } else {
            if let Some(recorder) = &mut self.recorder {
                recorder.successor(self.simplified.unfold(path.step(), template));
            }
            out.ends.push(out.bytes.len());
        }
        self.attend_if_changed(state);
    }

    /// The state in `out.bytes[base..]` lies inside an atomic sequence of `path.pid`: expand it later.
    fn postpone(&mut self, path: &Path, template: usize, base: usize, out: &mut Successors) {
        let steps = match &self.recorder {
            Some(recorder) => recorder.extended(self.simplified.unfold(path.step(), template)),
            None => Vec::new(),
        };
        let state = out.bytes.split_off(base);
        self.pending.push(Pending { state, pid: path.pid, depth: self.way.len(), steps });
    }

    /// Follows a d_step to its end, in place.
    fn finish_step(&mut self, path: &mut Path, base: usize, out: &mut Successors) -> Result<(), Fault> {
        let bytes = &mut out.bytes;
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let (mut tortoise, mut rounds, mut power) = (Vec::new(), 0u64, 64u64);
        loop {
            let (template, point) = self.rules.position(&self.machine, bytes, base, path.pid);
            if !self.rules.templates[template].points[point].deterministic {
                return Ok(());
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
            self.step_inside(path, template, point, base, bytes)?;
            if (bytes[base] as usize) <= path.pid {
                return Ok(());
            }
        }
    }

    /// Takes the first transition of a d_step that can go on.
    fn step_inside(
        &mut self,
        path: &mut Path,
        template: usize,
        point: usize,
        base: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let choices = self.rules.templates[template].points[point].tiers.iter().flatten();
        let ids: Vec<TransitionId> = choices.map(|c| c.transition).collect();
        for id in ids {
            let code = self.rules.templates[template].transitions[id];
            match self.rules.guard(&mut self.machine, bytes, base, path.pid, &code) {
                Status::Blocked | Status::Offers => continue,
                Status::Fault(fault) => return Err(fault),
                Status::Done => {}
            }
            match self.rules.effect(&mut self.machine, bytes, base, path.pid, &code) {
                Status::Fault(fault) => return Err(fault),
                Status::Done | Status::Blocked | Status::Offers => {}
            }
            self.mark(template, id);
            path.last = id;
            if self.recorder.is_some() {
                path.transitions.push(id);
            }
            if (bytes[base] as usize) > path.pid {
                let frame = base + self.machine.frames[path.pid] as usize;
                self.machine.tables.layout.set_point(bytes, frame, code.post as usize);
            }
            return Ok(());
        }
        Err(Fault::StepBlocks)
    }

    fn mark(&mut self, template: usize, transition: TransitionId) {
        self.reached[template][transition] = true;
    }

    /// The frames table belongs to `state` again, in case its successor created a process.
    fn attend_if_changed(&mut self, state: &[u8]) {
        if self.machine.frames.len() != state[0] as usize {
            self.machine.attend(state);
        }
    }

    fn report(
        &mut self,
        state: &[u8],
        pid: Pid,
        transition: Option<TransitionId>,
        fault: Fault,
        out: &mut Successors,
    ) {
        let (template, _) = self.rules.position(&self.machine, state, 0, pid);
        let at = FaultAt { fault, process: pid, template, transition: transition.unwrap_or(0) };
        let path = transition.into_iter().collect();
        self.note_fault(at, Step { process: pid, path, partner: None }, out);
    }

    fn report_handshake(
        &mut self,
        state: &[u8],
        sender: Option<(Pid, TransitionId)>,
        (pid, transition): (Pid, TransitionId),
        fault: Fault,
        out: &mut Successors,
    ) {
        let (template, _) = self.rules.position(&self.machine, state, 0, pid);
        let at = FaultAt { fault, process: pid, template, transition };
        let path = Path { pid, transitions: vec![transition], last: transition, sender };
        self.note_fault(at, path.step(), out);
    }

    fn note_fault(&mut self, at: FaultAt, step: Step, out: &mut Successors) {
        out.faults.push(at);
        if let Some(recorder) = &mut self.recorder {
            recorder.fault(step);
        }
    }

    /// Expands the states inside atomic sequences until none is left.
    fn drain(&mut self, out: &mut Successors) {
        while let Some(mut next) = self.pending.pop() {
            self.way.truncate(next.depth);
            if next.depth > PATIENCE && self.way.contains(&next.state) {
                continue;
            }
            if let Some(recorder) = &mut self.recorder {
                recorder.prefix = std::mem::take(&mut next.steps);
            }
            self.machine.attend(&next.state);
            self.way.push(next.state.clone());
            if !self.expand_process(&mut next.state, next.pid, out) {
                out.bytes.extend_from_slice(&next.state);
                out.ends.push(out.bytes.len());
                if let Some(recorder) = &mut self.recorder {
                    recorder.stays();
                }
            }
        }
        self.way.clear();
    }

    fn expand_all(&mut self, state: &mut Vec<u8>, timeout: bool, out: &mut Successors) -> bool {
        self.machine.timeout = timeout;
        let mut moved = false;
        for pid in 0..state[0] as usize {
            moved |= self.expand_process(state, pid, out);
            if !self.pending.is_empty() {
                self.machine.timeout = false;
                self.drain(out);
                self.machine.timeout = timeout;
                self.machine.attend(state);
                if let Some(recorder) = &mut self.recorder {
                    recorder.prefix.clear();
                }
            }
        }
        self.machine.timeout = false;
        moved
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        (0..state[0] as usize).all(|pid| self.rules.point(&self.machine, state, 0, pid).valid_end)
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
    pub fn uses(&self) -> impl Iterator<Item = &(usize, bool, Pid)> {
        self.machine.uses.iter().flatten()
    }
}

/// A step in the making.
struct Path {
    pid: Pid,
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
}

impl Stepper for Program {
    fn initial(&mut self) -> Result<Vec<u8>, Fault> {
        let mut state = vec![0; self.machine.tables.layout.globals.size];
        self.machine.frames.clear();
        self.machine.stack.clear();
        match self.rules.begin(&mut self.machine, &mut state, self.birth) {
            Status::Fault(fault) => Err(fault),
            _ => Ok(state),
        }
    }

    fn expand(&mut self, state: &[u8], out: &mut Successors) -> Rest {
        let mut current = state.to_vec();
        self.machine.attend(state);
        let moved = self.expand_all(&mut current, false, out)
            || self.rules.uses_timeout && self.expand_all(&mut current, true, out);
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
