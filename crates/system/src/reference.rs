//! The reference stepper: which moves a state has and where they lead, written to be obviously
//! right, not fast.
//!
//! Without a scheduling rules this is the semantics of the thesis, section 2.1. With one it is
//! SPIN's (see [`crate::scheduling`]): every other stepper, every reduction and every
//! counterexample is checked against this file.

use crate::evaluate::{Context, holds};
use crate::execute::{Done, Effects, Executing, Offer, accept, decides, execute};
use crate::fault::Fault;
use crate::model::{Operation, Pid, System, TransitionId};
use crate::scheduling::Tier;
use crate::state::State;
use space::{Fairness, Step};

/// A possible move and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// Which process took which transition.
    pub step: Step,
    /// The state it leads to; `None` if a fatal fault ends the run.
    pub next: Option<State>,
    /// What went wrong, fatal or not.
    pub fault: Option<Fault>,
    /// What `printf` wrote, in order.
    pub printed: Vec<String>,
}

/// The reference stepper of a system.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The description.
    pub system: &'a System,
    /// What runs owe to each process.
    pub fairness: Fairness,
}

/// How many `enabled()` may be evaluated one inside the other.
const MAX_NESTING: usize = 8;

impl<'a> Reference<'a> {
    /// Without fairness.
    pub fn new(system: &'a System) -> Self {
        Reference { system, fairness: Fairness::None }
    }

    /// The same steps; runs are fair to each process.
    pub fn fair(system: &'a System, fairness: Fairness) -> Self {
        Reference { system, fairness }
    }

    /// The initial state; a fault if an initial value cannot be evaluated.
    pub fn initial(&self) -> Result<State, Fault> {
        State::initial(self.system)
    }

    /// All moves of a state. None means that the system stutters here.
    pub fn moves(&self, state: &State) -> Vec<Move> {
        let eager = self.moves_of_all(state, false);
        if eager.is_empty() { self.moves_of_all(state, true) } else { eager }
    }

    /// Whether no process can move and some process is not at a valid end.
    pub fn is_deadlock(&self, state: &State) -> bool {
        self.moves(state).is_empty() && !state.is_valid_end(self.system)
    }

    /// Whether no process can move unless by a timeout.
    pub fn is_blocked(&self, state: &State) -> bool {
        self.moves_of_all(state, false).is_empty()
    }

    fn moves_of_all(&self, state: &State, timeout: bool) -> Vec<Move> {
        let pids = match state.control {
            Some(pid) => pid..pid + 1,
            None => 0..state.processes.len(),
        };
        let stepping = Stepping { system: self.system, state, timeout, nesting: 0 };
        pids.flat_map(|pid| stepping.moves_by_priority(pid)).map(|m| self.settle(m)).collect()
    }

    /// A blocked process loses control.
    fn settle(&self, mut m: Move) -> Move {
        if let Some(state) = &mut m.next
            && let Some(pid) = state.control
        {
            let stepping = Stepping { system: self.system, state, timeout: false, nesting: 0 };
            if stepping.moves_by_priority(pid).is_empty() {
                state.control = None;
            }
        }
        m
    }
}

/// Whether a process could move in this state; what `enabled(p)` means.
pub(crate) fn can_move(context: &Context<'_>, pid: Pid) -> Result<bool, Fault> {
    if context.nesting >= MAX_NESTING {
        return Err(Fault::CircularEnabled);
    }
    let Context { system, state, timeout, nesting, .. } = *context;
    let moves = Stepping { system, state, timeout, nesting: nesting + 1 }.moves_of(pid);
    if moves.iter().any(|m| m.fault == Some(Fault::CircularEnabled)) {
        return Err(Fault::CircularEnabled);
    }
    Ok(!moves.is_empty())
}

/// One way to begin a step: a transition executed, and the handshake it waits for, if any.
struct Attempt {
    state: State,
    effects: Effects,
    offer: Option<Offer>,
}

#[derive(Clone, Copy)]
struct Stepping<'a> {
    system: &'a System,
    state: &'a State,
    timeout: bool,
    nesting: usize,
}

impl Stepping<'_> {
    /// The moves of a process, none if a process of higher priority can move.
    fn moves_by_priority(&self, pid: Pid) -> Vec<Move> {
        let moves = self.moves_of(pid);
        if moves.is_empty() || !self.system.scheduling.as_ref().is_some_and(|d| d.priorities) {
            return moves;
        }
        let priority = self.state.processes[pid].priority;
        let outranked = |(other, p): (Pid, &crate::state::Process)| {
            p.priority > priority && other != pid && !self.moves_of(other).is_empty()
        };
        if self.state.processes.iter().enumerate().any(outranked) { Vec::new() } else { moves }
    }

    /// The moves of a process as if it had the highest priority.
    fn moves_of(&self, pid: Pid) -> Vec<Move> {
        let process = &self.state.processes[pid];
        let process_type = &self.system.process_types[process.process_type];
        let Some(scheduling) = &self.system.scheduling else {
            let ids = (0..process_type.transitions.len())
                .filter(|t| process_type.transitions[*t].pre == process.point);
            return ids.flat_map(|t| self.moves_by(pid, t)).collect();
        };
        let rules = &scheduling.process_types[process.process_type];
        match self.is_provided(pid) {
            Ok(true) => {}
            Ok(false) => return Vec::new(),
            Err(fault) => return vec![faulty(pid, Vec::new(), fault)],
        }
        let tiers = rules.points[process.point].tiers.iter().map(|tier| self.moves_of_tier(pid, tier));
        tiers.into_iter().find(|moves| !moves.is_empty()).unwrap_or_default()
    }

    fn moves_of_tier(&self, pid: Pid, tier: &Tier) -> Vec<Move> {
        let mut moves = Vec::new();
        for choice in &tier.choices {
            if !choice.otherwise || moves.is_empty() {
                moves.extend(self.moves_by(pid, choice.transition));
            }
        }
        moves
    }

    fn is_provided(&self, pid: Pid) -> Result<bool, Fault> {
        let process_type = self.state.processes[pid].process_type;
        let condition =
            self.system.scheduling.as_ref().and_then(|d| d.process_types[process_type].provided.as_ref());
        condition.map_or(Ok(true), |c| holds(&self.context(self.state, pid), c))
    }

    fn context<'b>(&'b self, state: &'b State, pid: Pid) -> Context<'b> {
        Context { system: self.system, state, pid: Some(pid), timeout: self.timeout, nesting: self.nesting }
    }

    /// The moves that begin with this transition: several if several receivers wait for its
    /// handshake.
    fn moves_by(&self, pid: Pid, transition: TransitionId) -> Vec<Move> {
        let attempt = match self.attempt(self.state, pid, transition, None) {
            Ok(Some(attempt)) => attempt,
            Ok(None) => return Vec::new(),
            Err(fault) => return vec![faulty(pid, vec![transition], fault)],
        };
        match &attempt.offer {
            None => vec![self.finish(pid, transition, attempt)],
            // A d_step cannot begin with the sending half of a handshake.
            Some(_) if self.is_inside_step(&attempt.state, pid) => {
                vec![faulty(pid, vec![transition], Fault::StepBlocks)]
            }
            Some(offer) => self.handshakes(pid, transition, &attempt, offer),
        }
    }

    /// Executes a transition from `state`; with `offer` its first operation must take it.
    fn attempt(
        &self,
        state: &State,
        pid: Pid,
        transition: TransitionId,
        offer: Option<&Offer>,
    ) -> Result<Option<Attempt>, Fault> {
        let process_type = state.processes[pid].process_type;
        let t = &self.system.process_types[process_type].transitions[transition];
        // While an offer waits, nothing but receives is looked at: the guards of others may not
        // even have a value.
        if offer.is_some() && !matches!(t.command.first(), Some(Operation::Receive { .. })) {
            return Ok(None);
        }
        if !holds(&self.context(state, pid), &t.guard)? {
            return Ok(None);
        }
        let mut attempt = Attempt { state: state.clone(), effects: Effects::default(), offer: None };
        let who = Executing { system: self.system, pid, timeout: self.timeout, nesting: self.nesting };
        for (i, operation) in t.command.iter().enumerate() {
            if i == 0
                && let Some(offer) = offer
            {
                if !accept(who, &mut attempt.state, operation, offer)? {
                    return Ok(None);
                }
                continue;
            }
            let done = execute(who, &mut attempt.state, operation, &mut attempt.effects);
            // It computes whether it is enabled: it is, whatever the value.
            if done == Err(Fault::CircularEnabled)
                && self.nesting > 0
                && !decides(who, &attempt.state, operation)
            {
                return Ok(Some(attempt));
            }
            match done? {
                Done::Yes => {}
                Done::Blocked => return Ok(None),
                Done::Offers(offer) if i == 0 => attempt.offer = Some(offer),
                Done::Offers(_) => return Ok(None),
            }
        }
        if let Some(process) = attempt.state.processes.get_mut(pid) {
            process.point = t.post;
        }
        Ok(Some(attempt))
    }

    /// Every way in which another process takes the offer.
    fn handshakes(&self, pid: Pid, transition: TransitionId, sent: &Attempt, offer: &Offer) -> Vec<Move> {
        let mut moves = Vec::new();
        for other in (0..self.state.processes.len()).filter(|p| *p != pid) {
            for (taken, result) in self.receivers(other, sent, offer) {
                let step = |path| Step { actor: pid, path: vec![transition], partner: Some((other, path)) };
                moves.push(match result {
                    Err(fault) => Move { step: step(vec![taken]), ..faulty(other, Vec::new(), fault) },
                    Ok(mut received) => {
                        received.effects.failed_assertion |= sent.effects.failed_assertion;
                        received.effects.printed.splice(0..0, sent.effects.printed.iter().cloned());
                        let after = self.finish(other, taken, received);
                        Move { step: step(after.step.path.clone()), ..after }
                    }
                });
            }
        }
        self.of_highest_priority(moves)
    }

    /// The transitions of a process that take the offer: those of its first tier in which one does.
    fn receivers(
        &self,
        other: Pid,
        sent: &Attempt,
        offer: &Offer,
    ) -> Vec<(TransitionId, Result<Attempt, Fault>)> {
        let process = &sent.state.processes[other];
        let process_type = &self.system.process_types[process.process_type];
        let try_all = |ids: &[TransitionId]| -> Vec<_> {
            let tried = ids.iter().map(|t| (*t, self.attempt(&sent.state, other, *t, Some(offer))));
            tried.filter_map(|(t, r)| r.transpose().map(|r| (t, r))).collect()
        };
        let Some(scheduling) = &self.system.scheduling else {
            let all = 0..process_type.transitions.len();
            let ids: Vec<_> = all.filter(|t| process_type.transitions[*t].pre == process.point).collect();
            return try_all(&ids);
        };
        if !self.is_provided(other).unwrap_or(false) {
            return Vec::new();
        }
        let tiers = &scheduling.process_types[process.process_type].points[process.point].tiers;
        let ids = |tier: &Tier| tier.choices.iter().map(|c| c.transition).collect::<Vec<_>>();
        tiers.iter().map(|tier| try_all(&ids(tier))).find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn of_highest_priority(&self, mut moves: Vec<Move>) -> Vec<Move> {
        if self.system.scheduling.as_ref().is_some_and(|d| d.priorities) {
            let rank = |m: &Move| m.step.partner.as_ref().map(|(p, _)| self.state.processes[*p].priority);
            let highest = moves.iter().map(rank).max();
            moves.retain(|m| Some(rank(m)) == highest);
        }
        moves
    }

    /// Follows a d_step to its end and settles who moved last and who has control.
    fn finish(&self, pid: Pid, transition: TransitionId, attempt: Attempt) -> Move {
        let mut path = vec![transition];
        let mut at = attempt;
        let mut seen = Vec::new();
        while self.is_inside_step(&at.state, pid) {
            if seen.contains(&at.state) {
                return faulty(pid, path, Fault::StepDiverges);
            }
            seen.push(at.state.clone());
            match self.first_enabled(&at.state, pid) {
                Ok(Some((t, next))) => {
                    path.push(t);
                    at.effects.failed_assertion |= next.effects.failed_assertion;
                    at.effects.printed.extend(next.effects.printed);
                    at.state = next.state;
                }
                Ok(None) => return faulty(pid, path, Fault::StepBlocks),
                Err(fault) => return faulty(pid, path, fault),
            }
        }
        at.state.last = pid;
        self.hand_over(&mut at.state, pid, path[path.len() - 1]);
        Move {
            step: Step { actor: pid, path, partner: None },
            next: Some(at.state),
            fault: at.effects.failed_assertion.then_some(Fault::Assertion),
            printed: at.effects.printed,
        }
    }

    fn is_inside_step(&self, state: &State, pid: Pid) -> bool {
        let (Some(scheduling), Some(process)) = (&self.system.scheduling, state.processes.get(pid)) else {
            return false;
        };
        scheduling.process_types[process.process_type].points[process.point].deterministic
    }

    /// The first transition of a d_step, in order, that can go on.
    fn first_enabled(&self, state: &State, pid: Pid) -> Result<Option<(TransitionId, Attempt)>, Fault> {
        let process = &state.processes[pid];
        let Some(scheduling) = &self.system.scheduling else {
            return Ok(None);
        };
        let tiers = &scheduling.process_types[process.process_type].points[process.point].tiers;
        for choice in tiers.iter().flat_map(|tier| &tier.choices) {
            if let Some(attempt) = self.attempt(state, pid, choice.transition, None)?
                && attempt.offer.is_none()
            {
                return Ok(Some((choice.transition, attempt)));
            }
        }
        Ok(None)
    }

    fn hand_over(&self, state: &mut State, pid: Pid, transition: TransitionId) {
        let keeps = |process_type: usize| {
            self.system.scheduling.as_ref().is_some_and(|d| d.process_types[process_type].keeps[transition])
        };
        state.control = state.processes.get(pid).filter(|p| keeps(p.process_type)).map(|_| pid);
    }
}

fn faulty(pid: Pid, path: Vec<TransitionId>, fault: Fault) -> Move {
    let step = Step { actor: pid, path, partner: None };
    Move { step, next: None, fault: Some(fault), printed: Vec::new() }
}
