//! Which transitions are enabled: guards, `provided`, priorities, partners of a handshake,
//! `enabled()`.

use crate::code::{Base, Op};
use crate::machine::{At, Machine, Status};
use crate::rules::{Choice, Rules};
use system::{Fault, Pid};

/// How many `enabled()` may be evaluated one inside the other, as in the reference stepper.
const MAX_NESTING: usize = 8;

/// A transition of a process that takes an offer, with how its guard ended.
pub struct Receiver {
    pub pid: Pid,
    pub choice: Choice,
    pub status: Status,
}

impl Rules {
    #[inline]
    pub fn guard(&self, machine: &mut Machine, at: &mut At<'_>, choice: &Choice) -> Status {
        self.test(machine, at, choice.code.guard)
    }

    /// Runs a guard or a part of one. Most begin with tests of single bytes, and most of those
    /// fail: no need to start the machine for them.
    #[inline]
    pub fn test(&self, machine: &mut Machine, at: &mut At<'_>, mut pc: u32) -> Status {
        let (base, frame) = (at.base, at.base + machine.frames[at.pid] as usize);
        loop {
            match self.tables.code[pc as usize] {
                Op::BlockUnlessU8 { of, test, offset, value } => {
                    let start = if of == Base::State { base } else { frame };
                    machine.trace.note(start - base + offset as usize);
                    if !test.passes(at.bytes[start + offset as usize], value) {
                        return Status::Blocked;
                    }
                }
                Op::Done => return Status::Done,
                _ => return machine.run(self, at, pc),
            }
            pc += 1;
        }
    }

    pub fn is_provided(&self, machine: &mut Machine, at: &mut At<'_>) -> Result<bool, Fault> {
        let (process_type, _) = self.position(machine, at.state(), at.pid);
        match self.process_types[process_type].provided {
            None => Ok(true),
            Some(code) => match machine.run(self, at, code) {
                Status::Fault(fault) => Err(fault),
                status => Ok(status == Status::Done),
            },
        }
    }

    /// Whether a process of higher priority can move.
    pub fn is_outranked(&self, machine: &mut Machine, at: &mut At<'_>) -> bool {
        let Some(offset) = self.tables.layout.priority else { return false };
        let priority = |m: &mut Machine, at: &mut At<'_>| {
            let frame = m.frames[at.pid] as usize;
            m.trace.note(frame + offset);
            at.bytes[at.base + frame + offset]
        };
        let own = priority(machine, at);
        (0..at.state()[0] as usize).any(|pid| {
            let other = &mut At { bytes: at.bytes, base: at.base, pid };
            priority(machine, other) > own && self.can_move(machine, other) != Ok(false)
        })
    }

    /// What `enabled(pid)` is, asked in the middle of another evaluation.
    pub fn is_enabled(&self, machine: &mut Machine, at: &mut At<'_>) -> Result<bool, Fault> {
        if machine.nesting >= MAX_NESTING {
            return Err(Fault::CircularEnabled);
        }
        let saved = machine.put_aside();
        machine.nesting += 1;
        let enabled = self.can_move(machine, at);
        machine.nesting -= 1;
        machine.take_back(saved);
        enabled
    }

    /// Whether a process can move, faults included; the error is a circular question only.
    fn can_move(&self, machine: &mut Machine, at: &mut At<'_>) -> Result<bool, Fault> {
        match self.is_provided(machine, at) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(Fault::CircularEnabled) => return Err(Fault::CircularEnabled),
            Err(_) => return Ok(true),
        }
        let mut moves = false;
        for choices in self.tiers(self.point(machine, at.state(), at.pid)) {
            for choice in choices {
                if choice.otherwise && moves {
                    continue;
                }
                moves |= match self.guard(machine, at, choice) {
                    Status::Fault(Fault::CircularEnabled) => return Err(Fault::CircularEnabled),
                    Status::Done | Status::Fault(_) => true,
                    Status::Blocked => false,
                    Status::Offers => self.finds_partner(machine, at, choice)?,
                };
            }
            if moves {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn finds_partner(&self, machine: &mut Machine, at: &mut At<'_>, choice: &Choice) -> Result<bool, Fault> {
        if choice.enters_step {
            return Ok(true);
        }
        let (mut sent, pid) = (at.state().to_vec(), at.pid);
        let after = &mut At { bytes: &mut sent, base: 0, pid };
        if let Status::Fault(_) = machine.run(self, after, choice.code.effect) {
            return Ok(true);
        }
        machine.move_on(self, after, choice);
        let receivers = self.receivers(machine, &mut sent, pid);
        let circular = |r: &Receiver| r.status == Status::Fault(Fault::CircularEnabled);
        if receivers.iter().any(circular) { Err(Fault::CircularEnabled) } else { Ok(!receivers.is_empty()) }
    }

    /// The transitions of other processes that take the machine's offer, in the state `sent` after
    /// the send.
    pub fn receivers(&self, machine: &mut Machine, sent: &mut Vec<u8>, sender: Pid) -> Vec<Receiver> {
        let mut found = Vec::new();
        for pid in (0..sent[0] as usize).filter(|p| *p != sender) {
            let at = &mut At { bytes: sent, base: 0, pid };
            if self.point(machine, at.state(), pid).receives && self.is_provided(machine, at) == Ok(true) {
                self.receivers_of(machine, at, &mut found);
            }
        }
        if let Some(offset) = self.tables.layout.priority {
            let rank = |r: &Receiver| sent[machine.frames[r.pid] as usize + offset];
            for receiver in &found {
                machine.trace.note(machine.frames[receiver.pid] as usize + offset);
            }
            let highest = found.iter().map(rank).max();
            found.retain(|r| Some(rank(r)) == highest);
        }
        found
    }

    /// The transitions of one process that take the offer: those of its first tier in which one
    /// does.
    fn receivers_of(&self, machine: &mut Machine, at: &mut At<'_>, found: &mut Vec<Receiver>) {
        let before = found.len();
        for choices in self.tiers(self.point(machine, at.state(), at.pid)) {
            for choice in choices.iter().filter(|c| c.code.receives) {
                machine.accepting = true;
                let status = machine.run(self, at, choice.code.guard);
                machine.accepting = false;
                if matches!(status, Status::Done | Status::Fault(_)) {
                    found.push(Receiver { pid: at.pid, choice: *choice, status });
                }
            }
            if found.len() > before {
                return;
            }
        }
    }
}
