//! What reduction asks of a packed state: positions, values, lengths, which conjuncts hold.

use crate::layout::{Kind, load, size_of};
use crate::machine::{At, Status};
use crate::program::Program;
use crate::rules::Rules;
use crate::worker::Worker;
use independence::selective::Selective;
use independence::{FullExpansion, Independence, Method, Node, NotReduced, Set, Snapshot};
use logic::Sort;
use objects::Dependency;
use space::{Edges, Label};
use system::{LocationId, Object, ObjectId, ObjectKind, Pid, ProcessTypeId, TransitionId};

/// A packed state with what is needed to read it.
struct Packed<'a> {
    rules: &'a Rules,
    worker: &'a mut Worker,
    state: &'a mut Vec<u8>,
}

impl Packed<'_> {
    /// A part of a variable that begins at an offset.
    fn scalar(&self, object: &Object, offset: usize, path: &[usize]) -> Option<i64> {
        let ObjectKind::Variable { sort, .. } = &object.kind else { return None };
        let mut at = offset;
        let mut sort = sort;
        for step in path {
            match sort {
                Sort::Array(element, length) if step < length => {
                    at += step * size_of(element)?;
                    sort = element;
                }
                Sort::Record(fields) => {
                    at += fields.iter().take(*step).map(|(_, s)| size_of(s)).sum::<Option<usize>>()?;
                    sort = &fields.get(*step)?.1;
                }
                _ => return None,
            }
        }
        match sort {
            Sort::Machine(int) => Some(load(Kind::of(*int)?, self.state, at)),
            Sort::Channel => Some(i64::from(self.state[at])),
            Sort::Integer | Sort::Array(..) | Sort::Record(_) => None,
        }
    }
}

impl Snapshot for Packed<'_> {
    fn processes(&self) -> usize {
        self.state[0] as usize
    }

    fn position(&self, pid: Pid) -> (ProcessTypeId, LocationId) {
        self.rules.position(&self.worker.machine, self.state, pid)
    }

    fn local(&self, pid: Pid, object: ObjectId) -> Option<i64> {
        let (process_type, _) = self.position(pid);
        let offset = self.rules.tables.layout.frames[process_type].offsets[object] as usize;
        let object = &self.rules.simplified.system.process_types[process_type].objects[object];
        self.scalar(object, self.worker.machine.frames[pid] as usize + offset, &[])
    }

    fn global(&self, object: ObjectId, path: &[usize]) -> Option<i64> {
        let offset = self.rules.tables.layout.globals.offsets[object] as usize;
        self.scalar(&self.rules.simplified.system.globals[object], offset, path)
    }

    fn length(&self, channel: ObjectId) -> usize {
        let section = &self.rules.tables.layout.globals;
        section.channel_of[channel].map_or(0, |k| section.channels[k].length(self.state, 0))
    }

    fn holds(&mut self, pid: Pid, transition: TransitionId, conjunct: usize) -> Option<bool> {
        let (process_type, _) = self.position(pid);
        let code = *self.rules.conjuncts[process_type][transition].get(conjunct)?;
        let at = &mut At { bytes: self.state, base: 0, pid };
        match self.rules.test(&mut self.worker.machine, at, code) {
            Status::Done => Some(true),
            Status::Blocked => Some(false),
            Status::Offers | Status::Fault(_) => None,
        }
    }
}

impl Program {
    /// Calls `ask` with what is known of independence and the state at hand.
    fn with<T>(&mut self, ask: impl FnOnce(&mut Independence, &mut Packed<'_>) -> T) -> Option<T> {
        let mut independence = self.independence.take()?;
        let mut packed = Packed { rules: &self.rules, worker: &mut self.worker, state: &mut self.current };
        let answer = ask(&mut independence, &mut packed);
        self.independence = Some(independence);
        Some(answer)
    }
}

impl Selective for Program {
    fn prepare(&mut self) -> Result<(), NotReduced> {
        let simplified = &self.rules.simplified;
        let written = simplified.original.as_ref().unwrap_or(&simplified.system);
        self.independence = Some(Box::new(Independence::new(&simplified.system, written)?));
        Ok(())
    }

    fn load(&mut self, state: &[u8], edges: &Edges) -> bool {
        self.current.clear();
        self.current.extend_from_slice(state);
        self.worker.machine.attend(&self.rules.tables, state);
        let enabled = edges.labels.iter().copied().chain(edges.faults.iter().map(|f| f.label));
        self.with(|independence, packed| independence.load(packed, enabled) && !independence.is_last_resort())
            .unwrap_or(false)
    }

    fn full_expansion(&self) -> Option<FullExpansion> {
        self.independence.as_ref().and_then(|i| i.full_expansion())
    }

    fn nodes(&self) -> &[Node] {
        self.independence.as_ref().map_or(&[], |i| i.nodes())
    }

    fn gates(&self) -> Set {
        self.independence.as_ref().map_or(0, |i| i.gates())
    }

    fn enabled(&self) -> Set {
        self.independence.as_ref().map_or(0, |i| i.enabled())
    }

    fn visible(&self) -> Set {
        self.independence.as_ref().map_or(0, |i| i.visible())
    }

    fn needs(&mut self, node: usize, method: Method, alternatives: &mut Vec<Set>) -> Option<()> {
        self.with(|independence, packed| independence.needs(packed, node, method, alternatives)).flatten()
    }

    fn independent(&mut self, a: Label, b: Label, by: Dependency) -> bool {
        self.with(|independence, packed| independence.independent(packed, a, b, by)).unwrap_or(false)
    }
}
