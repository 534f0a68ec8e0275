//! What the stepper knows of templates, and which transitions are enabled by it.

use crate::code::Op;
use crate::emit::Emitter;
use crate::layout::NotFinite;
use crate::machine::{Machine, Oracle, Status};
use crate::transition::TransitionCode;
use system::{Choice, Discipline, Fault, Pid, Read, System, Template, TemplateId, TransitionId};

pub struct Rules {
    pub templates: Vec<TemplateCode>,
    pub priorities: bool,
    pub uses_timeout: bool,
}

pub struct TemplateCode {
    pub provided: Option<u32>,
    pub points: Vec<PointCode>,
    pub transitions: Vec<TransitionCode>,
    pub keeps: Vec<bool>,
}

pub struct PointCode {
    pub tiers: Vec<Vec<Choice>>,
    pub deterministic: bool,
    pub valid_end: bool,
    /// Some transition here may take an offer.
    pub receives: bool,
}

/// How many `enabled()` may be evaluated one inside the other, as in the reference stepper.
const MAX_NESTING: usize = 8;

impl Rules {
    pub fn of(emitter: &mut Emitter<'_>) -> Result<Rules, NotFinite> {
        let system = emitter.system;
        let mut templates = Vec::new();
        for id in 0..system.templates.len() {
            emitter.template = Some(id);
            templates.push(template_code(emitter, id)?);
        }
        let priorities = system.discipline.as_ref().is_some_and(|d| d.priorities);
        Ok(Rules { templates, priorities, uses_timeout: reads(system, &|r| *r == Read::Timeout) })
    }

    pub fn point<'a>(&'a self, machine: &Machine, bytes: &[u8], base: usize, pid: Pid) -> &'a PointCode {
        let (template, point) = self.position(machine, bytes, base, pid);
        &self.templates[template].points[point]
    }

    /// The template and the control point of a process.
    pub fn position(&self, machine: &Machine, bytes: &[u8], base: usize, pid: Pid) -> (TemplateId, usize) {
        let at = base + machine.frames[pid] as usize;
        (bytes[at] as usize, machine.tables.layout.point(bytes, at))
    }

    pub fn guard(
        &self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
        code: &TransitionCode,
    ) -> Status {
        if code.free {
            return Status::Done;
        }
        machine.run(&mut Enabling::new(self), bytes, base, pid, code.guard)
    }

    /// Makes the initial state.
    pub fn begin(&self, machine: &mut Machine, bytes: &mut Vec<u8>, code: u32) -> Status {
        machine.run(&mut Enabling::new(self), bytes, 0, 0, code)
    }

    pub fn effect(
        &self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
        code: &TransitionCode,
    ) -> Status {
        machine.run(&mut Enabling::new(self), bytes, base, pid, code.effect)
    }

    pub fn is_provided(
        &self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
    ) -> Result<bool, Fault> {
        Enabling::new(self).is_provided(machine, bytes, base, pid)
    }

    /// Whether a process of higher priority can move.
    pub fn is_outranked(&self, machine: &mut Machine, bytes: &mut Vec<u8>, base: usize, pid: Pid) -> bool {
        let Some(offset) = machine.tables.layout.priority else { return false };
        let priority = |m: &Machine, bytes: &[u8], p: Pid| bytes[base + m.frames[p] as usize + offset];
        let own = priority(machine, bytes, pid);
        (0..bytes[base] as usize).any(|other| {
            priority(machine, bytes, other) > own && Enabling::new(self).can_move(machine, bytes, base, other)
        })
    }

    /// The transitions of other processes that take the machine's offer, in the state after the send.
    pub fn receivers(
        &self,
        machine: &mut Machine,
        sent: &mut Vec<u8>,
        base: usize,
        sender: Pid,
    ) -> Vec<(Pid, TransitionId, Status)> {
        Enabling::new(self).receivers(machine, sent, base, sender)
    }
}

/// Evaluates enabledness, `enabled()` included.
struct Enabling<'a> {
    rules: &'a Rules,
    nesting: usize,
    /// Some question was nested too deep.
    circular: bool,
}

impl<'a> Enabling<'a> {
    fn new(rules: &'a Rules) -> Self {
        Enabling { rules, nesting: 0, circular: false }
    }
}

impl Oracle for Enabling<'_> {
    fn is_enabled(
        &mut self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
    ) -> Result<bool, Fault> {
        if self.nesting >= MAX_NESTING {
            return Err(Fault::CircularEnabled);
        }
        let stack = std::mem::take(&mut machine.stack);
        let offer = std::mem::take(&mut machine.offer);
        let registers = (machine.opened, machine.found, machine.slot, machine.offered, machine.accepting);
        machine.accepting = false;
        let mut inner = Enabling { rules: self.rules, nesting: self.nesting + 1, circular: false };
        let enabled = inner.can_move(machine, bytes, base, pid);
        let circular = inner.circular;
        (machine.opened, machine.found, machine.slot, machine.offered, machine.accepting) = registers;
        machine.offer = offer;
        machine.stack = stack;
        if circular { Err(Fault::CircularEnabled) } else { Ok(enabled) }
    }
}

impl Enabling<'_> {
    fn is_provided(
        &mut self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
    ) -> Result<bool, Fault> {
        let (template, _) = self.rules.position(machine, bytes, base, pid);
        match self.rules.templates[template].provided {
            None => Ok(true),
            Some(code) => match machine.run(self, bytes, base, pid, code) {
                Status::Fault(fault) => Err(fault),
                status => Ok(status == Status::Done),
            },
        }
    }

    fn can_move(&mut self, machine: &mut Machine, bytes: &mut Vec<u8>, base: usize, pid: Pid) -> bool {
        match self.is_provided(machine, bytes, base, pid) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(fault) => {
                self.circular |= fault == Fault::CircularEnabled;
                return true;
            }
        }
        let (template, point) = self.rules.position(machine, bytes, base, pid);
        let code = &self.rules.templates[template];
        code.points[point].tiers.iter().flatten().any(|choice| {
            let transition = &code.transitions[choice.transition];
            match machine.run(self, bytes, base, pid, transition.guard) {
                Status::Done => true,
                Status::Fault(fault) => {
                    self.circular |= fault == Fault::CircularEnabled;
                    true
                }
                Status::Blocked => false,
                Status::Offers => self.finds_partner(machine, bytes, base, pid, transition),
            }
        })
    }

    fn finds_partner(
        &mut self,
        machine: &mut Machine,
        bytes: &[u8],
        base: usize,
        pid: Pid,
        transition: &TransitionCode,
    ) -> bool {
        let mut sent = bytes[base..].to_vec();
        if let Status::Fault(_) = machine.run(self, &mut sent, 0, pid, transition.effect) {
            return true;
        }
        machine.tables.layout.set_point(&mut sent, machine.frames[pid] as usize, transition.post as usize);
        !self.receivers(machine, &mut sent, 0, pid).is_empty()
    }

    fn receivers(
        &mut self,
        machine: &mut Machine,
        sent: &mut Vec<u8>,
        base: usize,
        sender: Pid,
    ) -> Vec<(Pid, TransitionId, Status)> {
        let mut found = Vec::new();
        for other in (0..sent[base] as usize).filter(|p| *p != sender) {
            if !self.rules.point(machine, sent, base, other).receives {
                continue;
            }
            if self.is_provided(machine, sent, base, other) == Ok(true) {
                self.receivers_of(machine, sent, base, other, &mut found);
            }
        }
        self.keep_highest_priority(machine, sent, base, &mut found);
        found
    }

    /// The transitions of one process that take the offer: those of its first tier in which one does.
    fn receivers_of(
        &mut self,
        machine: &mut Machine,
        sent: &mut Vec<u8>,
        base: usize,
        pid: Pid,
        found: &mut Vec<(Pid, TransitionId, Status)>,
    ) {
        let (template, point) = self.rules.position(machine, sent, base, pid);
        let code = &self.rules.templates[template];
        let before = found.len();
        for tier in &code.points[point].tiers {
            for choice in tier.iter().filter(|c| code.transitions[c.transition].receives) {
                machine.accepting = true;
                let status = machine.run(self, sent, base, pid, code.transitions[choice.transition].guard);
                machine.accepting = false;
                if matches!(status, Status::Done | Status::Fault(_)) {
                    found.push((pid, choice.transition, status));
                }
            }
            if found.len() > before {
                return;
            }
        }
    }

    fn keep_highest_priority(
        &self,
        machine: &Machine,
        sent: &[u8],
        base: usize,
        found: &mut Vec<(Pid, TransitionId, Status)>,
    ) {
        if let Some(offset) = machine.tables.layout.priority {
            let rank = |pid: Pid| sent[base + machine.frames[pid] as usize + offset];
            let highest = found.iter().map(|(pid, ..)| rank(*pid)).max();
            found.retain(|(pid, ..)| Some(rank(*pid)) == highest);
        }
    }
}

fn template_code(emitter: &mut Emitter<'_>, id: TemplateId) -> Result<TemplateCode, NotFinite> {
    let template = &emitter.system.templates[id];
    let mut transitions = Vec::new();
    for transition in &template.transitions {
        transitions.push(emitter.transition(transition)?);
    }
    let discipline = emitter.system.discipline.as_ref();
    let provided = match discipline.and_then(|d| d.templates[id].provided.as_ref()) {
        None => None,
        Some(condition) => {
            let start = emitter.code.len() as u32;
            emitter.emit_guard(condition)?;
            emitter.code.push(Op::Done);
            Some(start)
        }
    };
    let points =
        (0..template.points.len()).map(|point| point_code(template, discipline, id, point, &transitions));
    let points = points.collect();
    let keeps = match discipline {
        Some(d) => d.templates[id].keeps.clone(),
        None => vec![false; template.transitions.len()],
    };
    Ok(TemplateCode { provided, points, transitions, keeps })
}

fn point_code(
    template: &Template,
    discipline: Option<&Discipline>,
    id: TemplateId,
    point: usize,
    transitions: &[TransitionCode],
) -> PointCode {
    let rules = discipline.map(|d| &d.templates[id].points[point]);
    let tiers: Vec<Vec<Choice>> = match rules {
        Some(rules) => rules.tiers.iter().map(|t| t.choices.clone()).collect(),
        None => {
            let own = (0..transitions.len()).filter(|t| template.transitions[*t].pre == point);
            vec![own.map(|transition| Choice { transition, otherwise: false }).collect()]
        }
    };
    PointCode {
        receives: tiers.iter().flatten().any(|c| transitions[c.transition].receives),
        tiers,
        deterministic: rules.is_some_and(|r| r.deterministic),
        valid_end: template.points[point].valid_end,
    }
}

/// Whether any term of the system reads what `wanted` says.
pub fn reads(system: &System, wanted: &impl Fn(&Read) -> bool) -> bool {
    let mut found = false;
    crate::walk::reads_of_system(system, &mut |read| found |= wanted(read));
    found
}
