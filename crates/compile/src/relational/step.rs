//! Which steps a process has at a location, and where they lead: `system::reference`, once
//! more, on terms.
//!
//! Where the reference looks at one state and gives its moves, this looks at all states in which a
//! process is at one point, and gives every move with the condition under which there is one. The
//! functions are those of the reference, in its order; read them side by side.

use super::execute::{Actor, Offer, Path, Ways};
use super::layout::Layout;
use super::read::{Context, Wrong};
use super::refuse::{NotRelational, Reason};
use logic::fol::Term;
use system::{
    Choice, Fault, LocationId, LocationRules, Operation, ProcessRules, ProcessTypeId, System, Tier,
    TransitionId,
};

/// A process of a type in a slot, at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    pub slot: usize,
    pub process_type: ProcessTypeId,
    pub point: LocationId,
}

/// A move and its condition.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub when: Term,
    /// The transition it begins with; none if the process may not even be looked at.
    pub transition: Option<TransitionId>,
    pub end: End,
}

#[derive(Clone, Debug)]
pub enum End {
    State {
        values: Vec<Term>,
        /// Whether an assertion failed.
        failed: Term,
        /// Who keeps control, if it can go on.
        holder: Option<At>,
    },
    Wrong(Wrong),
}

/// A d_step has no more steps than this, and no more paths than this are open.
const MAX_STEPS: usize = 2000;

pub struct Stepping<'a> {
    pub system: &'a System,
    pub layout: &'a Layout,
    /// The variables themselves.
    pub values: Vec<Term>,
    pub timeout: bool,
}

impl<'a> Stepping<'a> {
    pub fn new(system: &'a System, layout: &'a Layout, timeout: bool) -> Stepping<'a> {
        let values = (0..layout.variables.len()).map(|leaf| layout.term(leaf)).collect();
        Stepping { system, layout, values, timeout }
    }

    fn rules(&self, process_type: ProcessTypeId) -> Option<&'a ProcessRules> {
        self.system.scheduling.as_ref().map(|d| &d.process_types[process_type])
    }

    /// The choices at a point. Without a scheduling rules all its transitions are one tier.
    fn rules_at(&self, process_type: ProcessTypeId, point: LocationId) -> LocationRules {
        if let Some(rules) = self.rules(process_type) {
            return rules.points[point].clone();
        }
        let transitions = self.system.process_types[process_type].transitions.iter().enumerate();
        let here = transitions.filter(|(_, t)| t.pre == point);
        let choices = here.map(|(transition, _)| Choice { transition, otherwise: false }).collect();
        LocationRules { tiers: vec![Tier { choices }], deterministic: false }
    }

    fn actor<'b>(&self, at: At, values: &'b [Term]) -> Actor<'b>
    where
        'a: 'b,
    {
        let Stepping { system, layout, timeout, .. } = *self;
        Actor {
            context: Context { system, layout, values, who: None, timeout },
            slot: at.slot,
            process_type: at.process_type,
        }
    }

    /// The state in which a process is at a point, as far as `values` leave that open.
    fn located(&self, values: &[Term], at: At) -> Vec<Term> {
        let slot = &self.layout.slots[at.slot];
        let mut values = values.to_vec();
        values[slot.location] = Term::int(slot.at(at.process_type, at.point));
        values
    }

    /// The moves of a process at a point.
    pub fn moves_of(&self, at: At) -> Result<Vec<Outcome>, NotRelational> {
        let values = self.located(&self.values, at);
        let (mut found, mut open) = (Vec::new(), Term::truth(true));
        if let Some(provided) = self.rules(at.process_type).and_then(|r| r.provided.as_ref()) {
            let worth = self.actor(at, &values).context(&values).worth(provided)?;
            let fault = |(when, wrong): &(Term, Wrong)| Outcome {
                when: when.clone(),
                transition: None,
                end: End::Wrong(*wrong),
            };
            found.extend(worth.faults.iter().map(fault));
            open = Term::all([worth.when(), worth.as_truth()]);
        }
        for tier in &self.rules_at(at.process_type, at.point).tiers {
            let moves = self.moves_of_tier(at, &values, tier)?;
            let some = any(&moves);
            found.extend(moves.into_iter().filter_map(|m| under(m, &open)));
            open = Term::all([open, Term::negation(some)]);
        }
        Ok(found)
    }

    fn moves_of_tier(&self, at: At, values: &[Term], tier: &Tier) -> Result<Vec<Outcome>, NotRelational> {
        let mut moves: Vec<Outcome> = Vec::new();
        for choice in &tier.choices {
            let none = if choice.otherwise { Term::negation(any(&moves)) } else { Term::truth(true) };
            let more = self.moves_by(at, values, choice.transition);
            let span = self.system.process_types[at.process_type].transitions[choice.transition].span;
            let more = more.map_err(|refusal| refusal.at(span))?;
            moves.extend(more.into_iter().filter_map(|m| under(m, &none)));
        }
        Ok(moves)
    }

    /// The moves that begin with a transition: several if several receivers wait for its handshake.
    fn moves_by(
        &self,
        at: At,
        values: &[Term],
        transition: TransitionId,
    ) -> Result<Vec<Outcome>, NotRelational> {
        let ways = self.attempt(Path::new(values.to_vec()), at, transition, None)?;
        let mut found = Vec::new();
        let wrong = |(when, wrong)| Outcome { when, transition: Some(transition), end: End::Wrong(wrong) };
        found.extend(ways.faults.into_iter().map(wrong));
        for path in ways.paths {
            match path.offer.clone() {
                None => self.finish(at, transition, path, &mut found)?,
                // A d_step cannot begin with the sending half of a handshake.
                Some(_) if self.is_inside_step(at, transition) => {
                    found.push(wrong((path.when, Wrong::Fault(Fault::StepBlocks))));
                }
                Some(offer) => self.handshakes(at.slot, &path, &offer, &mut found)?,
            }
        }
        found.iter_mut().for_each(|m| m.transition = Some(transition));
        Ok(found)
    }

    /// Executes a transition; with an offer its first operation must take it.
    fn attempt(
        &self,
        path: Path,
        at: At,
        transition: TransitionId,
        offer: Option<&Offer>,
    ) -> Result<Ways, NotRelational> {
        let t = &self.system.process_types[at.process_type].transitions[transition];
        let mut ways = Ways::default();
        // While an offer waits, nothing but receives is looked at.
        if offer.is_some() && !matches!(t.command.first(), Some(Operation::Receive { .. })) {
            return Ok(ways);
        }
        let guard = self.actor(at, &path.values).context(&path.values).worth(&t.guard)?;
        let Some(path) = ways.evaluated(&path, &guard) else { return Ok(ways) };
        let mut open = Vec::from_iter(path.under(guard.as_truth()));
        for (i, operation) in t.command.iter().enumerate() {
            let mut next = Vec::new();
            for path in open {
                let values = path.values.clone();
                let actor = self.actor(at, &values);
                let more = match offer.filter(|_| i == 0) {
                    Some(offer) => actor.accept(&path, operation, offer)?,
                    None => actor.execute(path, operation)?,
                };
                ways.faults.extend(more.faults);
                // A handshake begins a step or does not happen.
                let offers =
                    |p: &Path| i > 0 && matches!(operation, Operation::Send { .. }) && p.offer.is_some();
                next.extend(more.paths.into_iter().filter(|p| !offers(p)));
            }
            open = next;
        }
        let slot = &self.layout.slots[at.slot];
        for path in &mut open {
            if path.values[slot.location] != Term::int(0) {
                path.values[slot.location] = Term::int(slot.at(at.process_type, t.post));
            }
        }
        ways.paths = open;
        Ok(ways)
    }

    /// Every way in which another process takes the offer.
    fn handshakes(
        &self,
        sender: usize,
        sent: &Path,
        offer: &Offer,
        found: &mut Vec<Outcome>,
    ) -> Result<(), NotRelational> {
        for (slot, at) in self.layout.slots.iter().enumerate().filter(|(slot, _)| *slot != sender) {
            for process_type in at.types.keys() {
                let points = 0..self.system.process_types[*process_type].points.len();
                for point in points.filter(|p| self.receives(*process_type, *p)) {
                    let at = At { slot, process_type: *process_type, point };
                    self.receivers(at, sent, offer, found)?;
                }
            }
        }
        Ok(())
    }

    fn receives(&self, process_type: ProcessTypeId, point: LocationId) -> bool {
        let mut here = self.system.process_types[process_type].transitions.iter().filter(|t| t.pre == point);
        here.any(|t| matches!(t.command.first(), Some(Operation::Receive { .. })))
    }

    /// The transitions of a process that take the offer: those of its first tier in which one does.
    fn receivers(
        &self,
        at: At,
        sent: &Path,
        offer: &Offer,
        found: &mut Vec<Outcome>,
    ) -> Result<(), NotRelational> {
        let here = self.layout.slots[at.slot].at(at.process_type, at.point);
        let here = Term::same(&sent.values[self.layout.slots[at.slot].location], &Term::int(here));
        let Some(mut path) = sent.under(here) else { return Ok(()) };
        path.values = self.located(&path.values, at);
        path.offer = None;
        if let Some(provided) = self.rules(at.process_type).and_then(|r| r.provided.as_ref()) {
            // Asked of the state before the offer; a fault is as if it were not provided.
            let before = self.located(&self.values, at);
            let worth = self.actor(at, &before).context(&before).worth(provided)?;
            match path.under(Term::all([worth.when(), worth.as_truth()])) {
                None => return Ok(()),
                Some(next) => path = next,
            }
        }
        for tier in &self.rules_at(at.process_type, at.point).tiers {
            let mut taken: Vec<Outcome> = Vec::new();
            for choice in &tier.choices {
                let ways = self.attempt(path.clone(), at, choice.transition, Some(offer))?;
                let wrong = |(when, wrong)| Outcome { when, transition: None, end: End::Wrong(wrong) };
                taken.extend(ways.faults.into_iter().map(wrong));
                for path in ways.paths {
                    self.finish(at, choice.transition, path, &mut taken)?;
                }
            }
            let none = Term::any(taken.iter().map(|m| path.beyond(&m.when)));
            let none = Term::negation(none);
            found.extend(taken);
            match path.under(none) {
                None => return Ok(()),
                Some(next) => path = next,
            }
        }
        Ok(())
    }

    /// Follows a d_step to its end and says who has control then.
    fn finish(
        &self,
        at: At,
        transition: TransitionId,
        path: Path,
        found: &mut Vec<Outcome>,
    ) -> Result<(), NotRelational> {
        let mut open = vec![(transition, path)];
        let mut steps = 0;
        while let Some((transition, path)) = open.pop() {
            if !self.is_inside_step(at, transition) || self.is_gone(at, &path) {
                found.push(self.ended(at, transition, path));
                continue;
            }
            steps += 1;
            if steps > MAX_STEPS {
                return Err(NotRelational::new(Reason::LongStep));
            }
            let point = self.system.process_types[at.process_type].transitions[transition].post;
            self.first_enabled(At { point, ..at }, path, &mut open, found)?;
        }
        Ok(())
    }

    /// Whether a transition leads into a d_step.
    fn is_inside_step(&self, at: At, transition: TransitionId) -> bool {
        let post = self.system.process_types[at.process_type].transitions[transition].post;
        self.rules(at.process_type).is_some_and(|r| r.points[post].deterministic)
    }

    fn is_gone(&self, at: At, path: &Path) -> bool {
        path.values[self.layout.slots[at.slot].location] == Term::int(0)
    }

    /// The first transition of a d_step, in order, that can go on.
    fn first_enabled(
        &self,
        at: At,
        path: Path,
        open: &mut Vec<(TransitionId, Path)>,
        found: &mut Vec<Outcome>,
    ) -> Result<(), NotRelational> {
        let wrong = |when, wrong| Outcome { when, transition: None, end: End::Wrong(wrong) };
        let rules = self.rules_at(at.process_type, at.point);
        let mut left = path;
        for choice in rules.tiers.iter().flat_map(|tier| &tier.choices) {
            let ways = self.attempt(left.clone(), at, choice.transition, None)?;
            let mut taken: Vec<Term> = ways.faults.iter().map(|(when, _)| left.beyond(when)).collect();
            found.extend(ways.faults.into_iter().map(|(when, w)| wrong(when, w)));
            for next in ways.paths.into_iter().filter(|p| p.offer.is_none()) {
                taken.push(left.beyond(&next.when));
                open.push((choice.transition, next));
            }
            match left.under(Term::negation(Term::any(taken))) {
                None => return Ok(()),
                Some(rest) => left = rest,
            }
        }
        found.push(wrong(left.when, Wrong::Fault(Fault::StepBlocks)));
        Ok(())
    }

    fn ended(&self, at: At, transition: TransitionId, path: Path) -> Outcome {
        let gone = self.is_gone(at, &path);
        let Path { when, mut values, failed, .. } = path;
        let point = self.system.process_types[at.process_type].transitions[transition].post;
        let keeps = !gone && self.rules(at.process_type).is_some_and(|r| r.keeps[transition]);
        if let Some(leaf) = self.layout.last {
            values[leaf] = Term::int(at.slot);
        }
        if let Some(leaf) = self.layout.control {
            values[leaf] = Term::int(if keeps { at.slot + 1 } else { 0 });
        }
        let holder = keeps.then_some(At { point, ..at });
        Outcome { when, transition: None, end: End::State { values, failed, holder } }
    }
}

/// Where there is a move.
pub fn any(moves: &[Outcome]) -> Term {
    Term::any(moves.iter().map(|m| m.when.clone()))
}

fn under(outcome: Outcome, condition: &Term) -> Option<Outcome> {
    let when = Term::all([condition.clone(), outcome.when]);
    (!when.is_false()).then_some(Outcome { when, ..outcome })
}
