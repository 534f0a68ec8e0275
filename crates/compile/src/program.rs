//! A compiled system: the stepper over packed states.

use crate::constant::constant_globals;
use crate::emit::Emitter;
use crate::layout::{Layout, NotFinite};
use crate::ledger::Ledger;
use crate::locals::Local;
use crate::machine::{At, Machine, Status};
use crate::pids::Pids;
use crate::record::Recorder;
use crate::rules::{Rules, reads};
use crate::simplify::Simplified;
use crate::tables::{Tables, Uses};
use crate::worker::Worker;
use independence::Independence;
use space::{Cut, Edges, FaultAt, Label, Observer, Rest, Step, Stepper, Trace, Undefined, Which};
use std::collections::BTreeSet;
use std::sync::Arc;
use system::walk::reads_of_term;
use system::{Fault, Pid, Read};

/// A compiled system. A copy shares what never changes, and sees and counts for itself.
#[derive(Clone)]
pub struct Program {
    pub(crate) rules: Arc<Rules>,
    pub(crate) worker: Worker,
    /// Code that makes the initial state out of nothing.
    creation: u32,
    /// Code that tells whether a proposition holds.
    propositions: Vec<u32>,
    /// Whether a proposition asks for timeouts.
    observes_timeout: bool,
    pub(crate) current: Vec<u8>,
    /// Where what was executed is written in the end.
    ledger: Option<Ledger>,
    /// Once it is asked for.
    pub(crate) independence: Option<Box<Independence>>,
    /// The same.
    pub(crate) locals: Option<BTreeSet<Local>>,
}

impl Program {
    /// The bytecode of a simplified system.
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
            process_type: None,
        };
        let mut rules = Rules::of(&mut emitter, Tables::of(system, layout.clone()))?;
        for (id, process_type) in system.process_types.iter().enumerate() {
            emitter.process_type = Some(id);
            rules.tables.creations.push(emitter.creation(&process_type.objects)?);
        }
        emitter.process_type = None;
        let creation = emitter.initial_state()?;
        let propositions = system.propositions.iter().map(|p| emitter.proposition(p));
        let propositions = propositions.collect::<Result<Vec<_>, _>>()?;
        let mut observes_timeout = false;
        system.propositions.iter().for_each(|p| {
            reads_of_term(p, &mut |read| observes_timeout |= *read == Read::Timeout);
        });
        rules.tables.code = emitter.code;
        rules.tables.patterns = emitter.patterns;
        let mut machine = Machine::new();
        let channels = rules.tables.channels.len();
        machine.uses = (!system.exclusive.is_empty()).then(|| Uses::of(channels));
        let reached = system.process_types.iter().map(|t| vec![false; t.transitions.len()]).collect();
        let joins = simplified.joins;
        rules.simplified = simplified;
        let worker = Worker::new(machine, reached, joins);
        let (rules, current) = (Arc::new(rules), Vec::new());
        Ok(Program {
            rules,
            worker,
            creation,
            propositions,
            observes_timeout,
            current,
            ledger: None,
            independence: None,
            locals: None,
        })
    }

    /// Takes over what a copy has seen executed and used.
    pub fn unite(&mut self, other: &Program) {
        let executed = other.worker.reached.iter().flatten();
        let all = self.worker.reached.iter_mut().flatten().zip(executed);
        all.for_each(|(mine, theirs)| *mine |= theirs);
        if let (Some(mine), Some(theirs)) = (&mut self.worker.machine.uses, &other.worker.machine.uses) {
            mine.unite(theirs);
        }
    }

    /// By process type and transition of the original system: whether it was ever executed.
    pub fn reached(&self) -> Vec<Vec<bool>> {
        let mut reached: Vec<Vec<bool>> = self.worker.reached.iter().map(|t| vec![false; t.len()]).collect();
        for (process_type, transitions) in self.worker.reached.iter().enumerate() {
            for (t, _) in transitions.iter().enumerate().filter(|(_, executed)| **executed) {
                self.rules.simplified.origins[process_type][t]
                    .iter()
                    .for_each(|o| reached[process_type][*o] = true);
            }
        }
        reached
    }

    /// Writes what this program and copies made from now on execute into a ledger, once they are
    /// dropped.
    pub fn keep(&mut self, ledger: &Ledger) {
        self.ledger = Some(ledger.clone());
    }

    /// Whether no process can move unless by a timeout.
    fn is_blocked(&mut self, state: &[u8]) -> bool {
        let mut current = state.to_vec();
        self.worker.machine.attend(&self.rules.tables, state);
        !self.worker.expand_all(&self.rules, &mut current, false, &mut Edges::default())
    }

    /// The channel uses seen, if the system claims exclusive ones: (channel layout, sends,
    /// process).
    pub fn uses(&self) -> impl Iterator<Item = (usize, bool, Pid)> {
        self.worker.machine.uses.iter().flat_map(Uses::iter)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(ledger) = &self.ledger {
            ledger.add(self.reached());
        }
    }
}

impl Stepper for Program {
    fn initial(&mut self, out: &mut Edges) {
        let mut state = vec![0; self.rules.tables.layout.globals.size];
        self.worker.machine.frames.clear();
        self.worker.machine.stack.clear();
        let at = &mut At { bytes: &mut state, base: 0, pid: 0 };
        match self.worker.machine.run(&self.rules, at, self.creation) {
            Status::Fault(fault) => {
                let (place, label) = (0, Label::default());
                out.faults.push(FaultAt { fault: fault.into(), place, label, goes_on: false, certain: true });
            }
            _ => out.push(&state, Label::default()),
        }
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let mut current = std::mem::take(&mut self.current);
        current.clear();
        current.extend_from_slice(state);
        self.worker.machine.attend(&self.rules.tables, state);
        if out.wants_fairness {
            out.words = Pids::WORDS;
            out.asks.resize(Pids::WORDS, 0);
        }
        if self.locals.is_some() {
            self.note_locals(state);
        }
        let moved = self.worker.expand_all(&self.rules, &mut current, false, out)
            || self.rules.uses_timeout && self.worker.expand_all(&self.rules, &mut current, true, out);
        self.current = current;
        match moved {
            true => Rest::Enabled,
            false if self.worker.is_valid_end(&self.rules, state) => Rest::Terminated,
            false => Rest::Deadlock,
        }
    }

    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
        self.worker.recorder = Some(Recorder::default());
        let mut out = Edges { wants_fairness: true, ..Edges::default() };
        self.expand(state, &mut out);
        let recorder = self.worker.recorder.take()?;
        match which {
            Which::To { target, meets } => {
                let wanted = |k: &usize| out.get(*k) == target && (meets.is_empty() || out.met(*k) == meets);
                recorder.successor_steps((0..out.len()).find(wanted)?)
            }
            Which::Fault(wanted) => recorder.fault_steps(out.faults.iter().position(|f| *f == wanted)?),
        }
    }

    fn describe(&self, fault: space::Fault) -> String {
        Fault::of(fault).map_or_else(String::new, |fault| fault.to_string())
    }

    fn cut(&self, state: &[u8], cut: &mut Cut) {
        self.rules.tables.layout.cut(state, cut);
    }

    /// Which transitions were executed, then who used which channel.
    fn seen(&self) -> Vec<u64> {
        let executed = self.worker.reached.iter().flatten().map(|executed| u64::from(*executed));
        executed.chain(self.worker.machine.uses.iter().flat_map(Uses::words)).collect()
    }

    fn recall(&mut self, seen: &[u64]) {
        let executed = self.worker.reached.iter_mut().flatten();
        let count = executed.zip(seen).map(|(mine, theirs)| *mine |= *theirs != 0).count();
        if let Some(uses) = &mut self.worker.machine.uses {
            uses.recall(seen.get(count..).unwrap_or_default());
        }
    }

    fn actors(&self, state: &[u8]) -> usize {
        if self.locals.is_some() || self.worker.recorder.is_some() { 0 } else { state[0] as usize }
    }

    fn act(&mut self, state: &[u8], actor: usize, trace: &mut Trace, out: &mut Edges) {
        let mut current = std::mem::take(&mut self.current);
        current.clear();
        current.extend_from_slice(state);
        self.worker.machine.attend(&self.rules.tables, state);
        std::mem::swap(&mut self.worker.machine.trace, trace);
        self.worker.expand_one(&self.rules, &mut current, (actor, false), out);
        std::mem::swap(&mut self.worker.machine.trace, trace);
        self.current = current;
    }
}

impl Observer for Program {
    fn observe(&mut self, state: &[u8]) -> Result<u64, Undefined> {
        let timeout = self.observes_timeout && self.is_blocked(state);
        let mut current = std::mem::take(&mut self.current);
        current.clear();
        current.extend_from_slice(state);
        let machine = &mut self.worker.machine;
        machine.attend(&self.rules.tables, state);
        machine.timeout = timeout;
        let mut letter = 0;
        let mut failed = None;
        for (bit, code) in self.propositions.iter().enumerate() {
            let at = &mut At { bytes: &mut current, base: 0, pid: usize::MAX };
            match machine.run(&self.rules, at, *code) {
                Status::Done => letter |= 1 << bit,
                Status::Fault(fault) => failed = failed.or(Some(fault)),
                Status::Blocked | Status::Offers => {}
            }
        }
        machine.timeout = false;
        self.current = current;
        failed.map_or(Ok(letter), |fault: Fault| Err(Undefined(fault.to_string())))
    }
}
