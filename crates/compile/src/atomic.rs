//! Going on in place: most atomic sequences are straight lines, and need no copies of the states
//! inside them.
//!
//! As long as the process has exactly one way to go on, it is taken where the state lies. Where
//! there are several, a handshake or a d_step begins, or the line gets long, the state is left to
//! [`crate::pending`], which follows every path.

use crate::machine::{At, Status};
use crate::rules::{Choice, Rules};
use crate::worker::{Path, Worker, note_last};
use space::Edges;
use system::Fault;

/// How a straight line ended.
pub enum Line {
    /// The sequence ends or blocks: the state is one that a search stores.
    Visible,
    /// There is more than one way to go on.
    Branches,
    Fault(Fault),
}

/// What a process can do next.
enum Onward<'a> {
    Nothing,
    One(&'a Choice),
    Several,
}

/// Longer lines are left to those who look for endless ones.
const LONG: usize = 64;

impl Worker {
    /// Takes the process of `path`, which has control, along a straight line in
    /// `out.bytes[base..]`.
    pub fn go_on(&mut self, rules: &Rules, path: &mut Path, base: usize, out: &mut Edges) -> Line {
        if rules.priorities || rules.process_types[path.process_type].provided.is_some() {
            return Line::Branches;
        }
        let timeout = std::mem::take(&mut self.machine.timeout);
        let line = self.straight_line(rules, path, base, out);
        self.machine.timeout = timeout;
        line
    }

    fn straight_line(&mut self, rules: &Rules, path: &mut Path, base: usize, out: &mut Edges) -> Line {
        for _ in 0..LONG {
            let at = &mut At { bytes: &mut out.bytes, base, pid: path.pid };
            let choice = match self.onward(rules, at) {
                Onward::Nothing => return Line::Visible,
                Onward::Several => return Line::Branches,
                Onward::One(choice) => choice,
            };
            self.machine.failed_assertion = false;
            path.last = choice.transition;
            match self.machine.run(rules, at, choice.code.effect) {
                Status::Fault(fault) => return Line::Fault(fault),
                Status::Done | Status::Blocked | Status::Offers => {}
            }
            self.reached[path.process_type][choice.transition] = true;
            if self.machine.failed_assertion {
                out.faults.push(path.fault(Fault::Assertion, self.label));
            }
            note_last(rules, &mut self.machine, at);
            if !at.is_alive() {
                return Line::Visible;
            }
            self.machine.move_on(rules, at, choice);
            if !choice.keeps {
                return Line::Visible;
            }
        }
        Line::Branches
    }

    /// The one choice that is enabled, with the registers as its guard leaves them.
    fn onward<'a>(&mut self, rules: &'a Rules, at: &mut At<'_>) -> Onward<'a> {
        for choices in rules.tiers(rules.point(&mut self.machine, at.state(), at.pid)) {
            let mut only: Option<&Choice> = None;
            for choice in choices {
                if choice.otherwise && only.is_some() {
                    continue;
                }
                match rules.guard(&mut self.machine, at, choice) {
                    Status::Blocked => {}
                    Status::Done if only.is_none() && !choice.enters_step && !choice.code.blocks_late => {
                        only = Some(choice);
                    }
                    Status::Done | Status::Offers | Status::Fault(_) => return Onward::Several,
                }
            }
            if let Some(choice) = only {
                if choices.len() > 1 {
                    rules.guard(&mut self.machine, at, choice);
                }
                return Onward::One(choice);
            }
        }
        Onward::Nothing
    }
}
