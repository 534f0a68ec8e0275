//! Which transitions are enabled: guards, `provided`, priorities, partners of a handshake,
//! `enabled()`.

use crate::code::{Base, Op};
use crate::machine::{Machine, Status};
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
    pub fn guard(
        &self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
        choice: &Choice,
    ) -> Status {
        self.test(machine, bytes, base, pid, choice.code.guard)
    }

    /// Runs a guard or a part of one. Most begin with tests of single bytes, and most of those
    /// fail: no need to start the machine for them.
    #[inline]
    pub fn test(
        &self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
        mut pc: u32,
    ) -> Status {
        let frame = base + machine.frames[pid] as usize;
        loop {
            match self.tables.code[pc as usize] {
                Op::BlockUnlessU8 { of, test, offset, value } => {
                    let start = if of == Base::State { base } else { frame };
                    if !test.passes(bytes[start + offset as usize], value) {
                        return Status::Blocked;
                    }
                }
                Op::Done => return Status::Done,
                _ => return machine.run(self, bytes, base, pid, pc),
            }
            pc += 1;
        }
    }

    pub fn is_provided(
        &self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
    ) -> Result<bool, Fault> {
        let template = bytes[base + machine.frames[pid] as usize] as usize;
        match self.templates[template].provided {
            None => Ok(true),
            Some(code) => match machine.run(self, bytes, base, pid, code) {
                Status::Fault(fault) => Err(fault),
                status => Ok(status == Status::Done),
            },
        }
    }

    /// Whether a process of higher priority can move.
    pub fn is_outranked(&self, machine: &mut Machine, bytes: &mut Vec<u8>, base: usize, pid: Pid) -> bool {
        let Some(offset) = self.tables.layout.priority else { return false };
        let priority = |m: &Machine, bytes: &[u8], p: Pid| bytes[base + m.frames[p] as usize + offset];
        let own = priority(machine, bytes, pid);
        (0..bytes[base] as usize).any(|other| {
            priority(machine, bytes, other) > own && self.can_move(machine, bytes, base, other) != Ok(false)
        })
    }

    /// What `enabled(pid)` is, asked in the middle of another evaluation.
    pub fn is_enabled(
        &self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
    ) -> Result<bool, Fault> {
        if machine.nesting >= MAX_NESTING {
            return Err(Fault::CircularEnabled);
        }
        let saved = machine.put_aside();
        machine.nesting += 1;
        let enabled = self.can_move(machine, bytes, base, pid);
        machine.nesting -= 1;
        machine.take_back(saved);
        enabled
    }

    /// Whether a process can move, faults included; the error is a circular question only.
    fn can_move(
        &self,
        machine: &mut Machine,
        bytes: &mut Vec<u8>,
        base: usize,
        pid: Pid,
    ) -> Result<bool, Fault> {
        match self.is_provided(machine, bytes, base, pid) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(Fault::CircularEnabled) => return Err(Fault::CircularEnabled),
            Err(_) => return Ok(true),
        }
        let point = self.point(machine, bytes, base, pid);
        let mut moves = false;
        for tier in point.tiers.0..point.tiers.1 {
            let (start, end) = self.tiers[tier as usize];
            for choice in &self.choices[start as usize..end as usize] {
                if choice.otherwise && moves {
                    continue;
                }
                moves |= match self.guard(machine, bytes, base, pid, choice) {
                    Status::Fault(Fault::CircularEnabled) => return Err(Fault::CircularEnabled),
                    Status::Done | Status::Fault(_) => true,
                    Status::Blocked => false,
                    Status::Offers => self.finds_partner(machine, bytes, base, pid, choice)?,
                };
            }
            if moves {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn finds_partner(
        &self,
        machine: &mut Machine,
        bytes: &[u8],
        base: usize,
        pid: Pid,
        choice: &Choice,
    ) -> Result<bool, Fault> {
        if choice.enters_step {
            return Ok(true);
        }
        let mut sent = bytes[base..].to_vec();
        if let Status::Fault(_) = machine.run(self, &mut sent, 0, pid, choice.code.effect) {
            return Ok(true);
        }
        self.tables.layout.set_point(&mut sent, machine.frames[pid] as usize, choice.code.post as usize);
        let receivers = self.receivers(machine, &mut sent, pid);
        let circular = |r: &Receiver| r.status == Status::Fault(Fault::CircularEnabled);
        if receivers.iter().any(circular) { Err(Fault::CircularEnabled) } else { Ok(!receivers.is_empty()) }
    }

    /// The transitions of other processes that take the machine's offer, in the state `sent` after
    /// the send.
    pub fn receivers(&self, machine: &mut Machine, sent: &mut Vec<u8>, sender: Pid) -> Vec<Receiver> {
        let mut found = Vec::new();
        for pid in (0..sent[0] as usize).filter(|p| *p != sender) {
            if self.point(machine, sent, 0, pid).receives
                && self.is_provided(machine, sent, 0, pid) == Ok(true)
            {
                self.receivers_of(machine, sent, pid, &mut found);
            }
        }
        if let Some(offset) = self.tables.layout.priority {
            let rank = |r: &Receiver| sent[machine.frames[r.pid] as usize + offset];
            let highest = found.iter().map(rank).max();
            found.retain(|r| Some(rank(r)) == highest);
        }
        found
    }

    /// The transitions of one process that take the offer: those of its first tier in which one
    /// does.
    fn receivers_of(&self, machine: &mut Machine, sent: &mut Vec<u8>, pid: Pid, found: &mut Vec<Receiver>) {
        let point = self.point(machine, sent, 0, pid);
        let before = found.len();
        for tier in point.tiers.0..point.tiers.1 {
            let (start, end) = self.tiers[tier as usize];
            for choice in self.choices[start as usize..end as usize].iter().filter(|c| c.code.receives) {
                machine.accepting = true;
                let status = machine.run(self, sent, 0, pid, choice.code.guard);
                machine.accepting = false;
                if matches!(status, Status::Done | Status::Fault(_)) {
                    found.push(Receiver { pid, choice: *choice, status });
                }
            }
            if found.len() > before {
                return;
            }
        }
    }
}
