//! What never changes about a program: its code, and per location which transitions to try, in
//! which order.

use crate::code::Op;
use crate::emit::Emitter;
use crate::layout::NotFinite;
use crate::machine::Machine;
use crate::simplify::Simplified;
use crate::tables::Tables;
use crate::transition::TransitionCode;
use system::{Pid, ProcessTypeId, Read, System, TransitionId};

#[derive(Clone)]
pub struct Rules {
    pub tables: Tables,
    pub process_types: Vec<ProcessCode>,
    /// Tiers of all points: ranges of `choices`.
    pub tiers: Vec<(u32, u32)>,
    pub choices: Vec<Choice>,
    pub priorities: bool,
    pub uses_timeout: bool,
    /// What the transitions stand for.
    pub simplified: Simplified,
    /// By process type and transition: the code of each conjunct of the guard.
    pub conjuncts: Vec<Vec<Vec<u32>>>,
}

#[derive(Clone)]
pub struct ProcessCode {
    pub provided: Option<u32>,
    pub points: Vec<PointCode>,
}

#[derive(Clone, Copy)]
pub struct PointCode {
    /// Range of `Rules::tiers`.
    pub tiers: (u32, u32),
    pub deterministic: bool,
    pub valid_end: bool,
    /// Some transition here may take an offer.
    pub receives: bool,
}

/// A transition as a choice of its point.
#[derive(Clone, Copy)]
pub struct Choice {
    pub code: TransitionCode,
    pub transition: TransitionId,
    pub otherwise: bool,
    /// Inside an atomic sequence afterwards.
    pub keeps: bool,
    /// Inside a d_step afterwards.
    pub enters_step: bool,
}

impl Rules {
    pub fn of(emitter: &mut Emitter<'_>, tables: Tables) -> Result<Rules, NotFinite> {
        let system = emitter.system;
        let mut rules = Rules {
            tables,
            process_types: Vec::new(),
            tiers: Vec::new(),
            choices: Vec::new(),
            priorities: system.scheduling.as_ref().is_some_and(|d| d.priorities),
            uses_timeout: reads(system, &|r| *r == Read::Timeout),
            simplified: Simplified::default(),
            conjuncts: Vec::new(),
        };
        for id in 0..system.process_types.len() {
            emitter.process_type = Some(id);
            rules.add_process_type(emitter, id)?;
        }
        Ok(rules)
    }

    fn add_process_type(&mut self, emitter: &mut Emitter<'_>, id: ProcessTypeId) -> Result<(), NotFinite> {
        let process_type = &emitter.system.process_types[id];
        let scheduling = emitter.system.scheduling.as_ref();
        let codes =
            process_type.transitions.iter().map(|t| emitter.transition(t)).collect::<Result<Vec<_>, _>>()?;
        let mut conjuncts = Vec::new();
        for transition in &process_type.transitions {
            conjuncts.push(emitter.conjuncts(&transition.guard)?);
        }
        self.conjuncts.push(conjuncts);
        let provided = match scheduling.and_then(|d| d.process_types[id].provided.as_ref()) {
            None => None,
            Some(condition) => {
                let start = emitter.code.len() as u32;
                emitter.emit_guard(condition)?;
                emitter.code.push(Op::Done);
                Some(start)
            }
        };
        let points = (0..process_type.points.len()).map(|p| self.add_point(emitter.system, id, p, &codes));
        let points = points.collect();
        self.process_types.push(ProcessCode { provided, points });
        Ok(())
    }

    fn add_point(
        &mut self,
        system: &System,
        id: ProcessTypeId,
        point: usize,
        codes: &[TransitionCode],
    ) -> PointCode {
        let process_type = &system.process_types[id];
        let rules = system.scheduling.as_ref().map(|d| &d.process_types[id]);
        let tiers: Vec<Vec<system::Choice>> = match rules {
            Some(rules) => rules.points[point].tiers.iter().map(|t| t.choices.clone()).collect(),
            None => {
                let own = (0..codes.len()).filter(|t| process_type.transitions[*t].pre == point);
                vec![own.map(|transition| system::Choice { transition, otherwise: false }).collect()]
            }
        };
        let first = self.tiers.len() as u32;
        let receives = tiers.iter().flatten().any(|c| codes[c.transition].receives);
        for tier in tiers {
            let start = self.choices.len() as u32;
            self.choices.extend(tier.iter().map(|choice| Choice {
                code: codes[choice.transition],
                transition: choice.transition,
                otherwise: choice.otherwise,
                keeps: rules.is_some_and(|r| r.keeps[choice.transition]),
                enters_step:
                    rules.is_some_and(|r| r.points[codes[choice.transition].post as usize].deterministic),
            }));
            self.tiers.push((start, self.choices.len() as u32));
        }
        PointCode {
            tiers: (first, self.tiers.len() as u32),
            deterministic: rules.is_some_and(|r| r.points[point].deterministic),
            valid_end: process_type.points[point].valid_end,
            receives,
        }
    }

    /// The process type and the location of a process.
    pub fn position(&self, machine: &Machine, state: &[u8], pid: Pid) -> (ProcessTypeId, usize) {
        let at = machine.frames[pid] as usize;
        (state[at] as usize, self.tables.layout.point(state, at))
    }

    /// The same, noted.
    pub fn stand(&self, machine: &mut Machine, state: &[u8], pid: Pid) -> (ProcessTypeId, usize) {
        let at = machine.frames[pid] as usize;
        (state[at] as usize, machine.point_at(&self.tables, state, at))
    }

    pub fn point(&self, machine: &mut Machine, state: &[u8], pid: Pid) -> PointCode {
        let (process_type, point) = self.stand(machine, state, pid);
        self.process_types[process_type].points[point]
    }

    /// The choices at a point, tier by tier.
    #[inline]
    pub fn tiers(&self, point: PointCode) -> impl Iterator<Item = &[Choice]> {
        let tiers = &self.tiers[point.tiers.0 as usize..point.tiers.1 as usize];
        tiers.iter().map(|(start, end)| &self.choices[*start as usize..*end as usize])
    }
}

/// Whether any term of the system reads what `wanted` says.
pub fn reads(system: &System, wanted: &impl Fn(&Read) -> bool) -> bool {
    let mut found = false;
    system::walk::reads_of_system(system, &mut |read| found |= wanted(read));
    found
}
