//! What a process may do from each of its points on: its transitions with the objects they use.
//!
//! A role is a process type with what is known of one process for as long as it lives: its number,
//! its arguments and other locals that nothing writes, the channels that global names stand for
//! once nothing writes those any more. So a channel given as an argument is a channel known,
//! `flag[_pid]` a part known, and exclusive use needs no annotation: no other role has the
//! operation.
//!
//! The *step* of a transition is all that is executed until the next state that a search stores:
//! more than itself if it begins an atomic sequence or a d_step. Its uses are those of all
//! transitions that may take part in it. The *future* of a transition is every step that can come
//! at or after it, those of processes that it may lead to start included.

use super::flow::{Bits, Flow};
use super::outlook::MAX_GATES;
use super::truth::Truth;
use crate::footprint::{Footprint, Source, Special, Target, Use, Uses, comparison, conjuncts};
use crate::object_table::{Key, Mask, Objects, Op};
use logic::{Term, Unary, apply_binary};
use num_bigint::BigInt;
use objects::Operation as On;
use objects::channel::Operation as OnChannel;
use objects::rendezvous::Half;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use system::*;

/// An operation on an object, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) object: u16,
    pub(crate) operation: u8,
    /// The transition is enabled only where this can be performed.
    pub(crate) certain: bool,
}

/// A condition of a transition.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) source: Source,
    pub(crate) uses: Vec<Used>,
    /// It is the end of a process, which waits for all younger ones.
    pub(crate) youngest: bool,
    /// It is a handshake.
    pub(crate) partner: bool,
    /// Asks whether nothing else can move.
    pub(crate) timeout: bool,
    /// The process itself can change it unseen by others.
    pub(crate) private: bool,
    pub(crate) truth: Truth,
}

/// What is known of a transition of a role.
#[derive(Clone, Debug, Default)]
pub(crate) struct Action {
    /// What its step uses.
    pub(crate) uses: Vec<Used>,
    /// The same by object.
    pub(crate) own: Vec<Mask>,
    /// What its step uses, and those may ever use that it starts.
    pub(crate) doing: Vec<Mask>,
    /// What may be used from here on, by object.
    pub(crate) future: Vec<Mask>,
    pub(crate) conditions: Vec<Condition>,
    /// The handshakes it may be half of: object and half.
    pub(crate) halves: Vec<(u16, Half)>,
    /// Its guard has `timeout` as a conjunct: it moves only when nothing else can.
    pub(crate) last_resort: bool,
    /// Its guard asks about timeout in any way.
    pub(crate) asks_timeout: bool,
    /// Its guard is false whatever happens.
    pub(crate) never: bool,
    /// Why nothing is known of it, if so.
    pub(crate) wild: bool,
    /// Its step may change what a proposition says.
    pub(crate) visible: bool,
}

impl Action {
    /// Whether it may happen as long as another process can move.
    pub(crate) fn takes_part(&self) -> bool {
        !self.last_resort && !self.never
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Role {
    pub(crate) actions: Vec<Action>,
    /// By point: the transitions out of it.
    pub(crate) points: Vec<Vec<TransitionId>>,
    /// By point: the union of the futures of its transitions.
    pub(crate) ahead: Vec<Vec<Mask>>,
    /// The transitions that may be gates (see `outlook`), and by point which of them may come.
    pub(crate) gates: Vec<TransitionId>,
    pub(crate) gates_ahead: Vec<u64>,
    /// What the process and those it may start may ever do.
    pub(crate) all: Vec<Mask>,
    /// What those it may start may ever do.
    pub(crate) born: Vec<Mask>,
}

/// What roles are made from.
pub(super) struct Ground<'a> {
    pub(crate) system: &'a System,
    /// Local channels whose handles are given away, by process type and object.
    pub(crate) escaped: &'a BTreeSet<(ProcessTypeId, ObjectId)>,
    /// Local variables that others read.
    pub(crate) remote: &'a BTreeSet<(ProcessTypeId, ObjectId)>,
    /// Points that others ask about.
    pub(crate) asked: &'a BTreeSet<(ProcessTypeId, LocationId)>,
    /// There are channels without room.
    pub(crate) rendezvous: bool,
    /// By process type: what its processes and those they start may ever do.
    pub(crate) families: &'a [Vec<Mask>],
    /// What propositions ask of objects.
    pub(crate) watched: &'a [(Key, Op)],
}

/// A use of an object, and whether it is certain to be possible.
type Tried = (Key, Op, bool);

/// What a transition does to objects.
#[derive(Default)]
struct Performed {
    tried: Vec<Tried>,
    /// What it waits for.
    waited: Vec<(Key, Op)>,
    /// Nothing static bounds what it does.
    wild: bool,
}

/// What is used in the steps of a process type beyond their first transitions.
struct Steps {
    flow: Flow,
    /// Whether more than the transition itself takes part in the step that it begins.
    goes_on: Vec<bool>,
    /// By transition: what it uses in the middle of a step, and whether it is wild there.
    later: Vec<(Vec<Tried>, bool)>,
    /// Every use there is, by number; the numbers of what may come after each transition. Empty for
    /// small process types, where the order in which a search finds them is kept.
    uses: Vec<Tried>,
    after: Vec<Bits>,
    /// By transition: whether something wild may come after it.
    wild: Vec<bool>,
    /// By transition: the objects that the step it begins may use again after it has changed them.
    broken: Vec<BTreeSet<Key>>,
}

/// Steps of larger process types are not followed transition by transition.
const FOLLOWED: usize = 1000;

/// Adds one to the other; whether that changed anything.
pub(crate) fn or_into(into: &mut Vec<Mask>, more: &[Mask]) -> bool {
    let mut changed = into.len() < more.len();
    if changed {
        into.resize(more.len(), 0);
    }
    for (a, b) in into.iter_mut().zip(more) {
        changed |= *a | b != *a;
        *a |= b;
    }
    changed
}

impl Ground<'_> {
    /// The role of a process type in `system`, where what is known has been put in; `footprints`
    /// are of its transitions.
    pub(crate) fn role(
        &self,
        objects: &mut Objects,
        process_type: ProcessTypeId,
        known: &ProcessType,
        footprints: &[Footprint],
    ) -> Role {
        let points = self.points(process_type);
        let steps = self.steps(process_type, &points, footprints);
        let mut actions: Vec<Action> = Vec::new();
        for (t, footprint) in footprints.iter().enumerate() {
            let own = (footprint, &known.transitions[t].guard);
            let mut action = self.action(objects, process_type, own);
            self.add_uses(objects, (process_type, t, &steps), own, &mut action);
            actions.push(action);
        }
        let mut role = Role { actions, points, ..Role::default() };
        self.look_ahead(process_type, &mut role);
        role
    }

    fn points(&self, process_type: ProcessTypeId) -> Vec<Vec<TransitionId>> {
        let t = &self.system.process_types[process_type];
        let rules = self.system.scheduling.as_ref().and_then(|d| d.process_types.get(process_type));
        (0..t.points.len())
            .map(|point| match rules {
                Some(rules) => {
                    rules.points[point].tiers.iter().flat_map(|t| &t.choices).map(|c| c.transition).collect()
                }
                None => (0..t.transitions.len()).filter(|k| t.transitions[*k].pre == point).collect(),
            })
            .collect()
    }

    /// What takes part in the steps of a process type.
    fn steps(
        &self,
        process_type: ProcessTypeId,
        points: &[Vec<TransitionId>],
        footprints: &[Footprint],
    ) -> Steps {
        let t = &self.system.process_types[process_type];
        let rules = self.system.scheduling.as_ref().and_then(|d| d.process_types.get(process_type));
        let offers = |k: TransitionId| footprints[k].all().any(|u| u.operation == On::Half(Half::Offer));
        let goes_on = |k: TransitionId, first: bool| {
            let post = t.transitions[k].post;
            rules.is_some_and(|r| r.points[post].deterministic || r.keeps[k] && !(first && offers(k)))
        };
        let all = 0..t.transitions.len();
        let next = |k: TransitionId| match goes_on(k, false) {
            true => points[t.transitions[k].post].clone(),
            false => Vec::new(),
        };
        let later = |k: TransitionId| {
            let Performed { mut tried, wild, .. } = self.uses_of(process_type, &footprints[k], None);
            tried.extend(self.moves(process_type, k).into_iter().map(|(key, op)| (key, op, false)));
            (tried, wild)
        };
        let mut steps = Steps {
            flow: Flow::new(all.clone().map(next).collect()),
            goes_on: all.clone().map(|k| goes_on(k, true)).collect(),
            later: all.map(later).collect(),
            uses: Vec::new(),
            after: Vec::new(),
            wild: Vec::new(),
            broken: Vec::new(),
        };
        steps.gather();
        self.look_for_repeated_use(process_type, footprints, &mut steps);
        steps
    }

    /// What is known of the transition itself: conditions, handshakes, timeout.
    fn action(
        &self,
        objects: &mut Objects,
        process_type: ProcessTypeId,
        (footprint, guard): (&Footprint, &Expr),
    ) -> Action {
        let guard = conjuncts(guard);
        let mut action = Action {
            never: guard.iter().any(|c| **c == Term::FALSE),
            last_resort: guard.iter().any(|c| **c == Term::Atom(Read::Timeout)),
            asks_timeout: footprint.specials().any(|s| s == Special::Timeout),
            ..Action::default()
        };
        for (uses, source) in footprint.conditions.iter().zip(&footprint.sources) {
            let found = self.resolve(process_type, uses);
            let mut used = Vec::new();
            for (key, op) in &found {
                let object = objects.object(self.system, *key);
                if let (Op::On(On::Half(half)), Source::Blocking) = (op, source) {
                    action.halves.push((object, *half));
                }
                used.push(Used { object, operation: objects.intern(object, op), certain: false });
            }
            let mut condition = Condition {
                source: *source,
                uses: used,
                youngest: uses.specials.contains(&Special::Youngest),
                partner: uses.specials.contains(&Special::Partner),
                timeout: uses.specials.contains(&Special::Timeout),
                private: uses.operations.iter().any(|u| matches!(u.target, Target::Local(_))),
                truth: Truth::default(),
            };
            condition.truth = Truth::of(objects, &condition, |o| self.capacity(o));
            action.conditions.push(condition);
        }
        action
    }

    /// The uses of a whole step.
    fn add_uses(
        &self,
        objects: &mut Objects,
        (process_type, first, steps): (ProcessTypeId, TransitionId, &Steps),
        (footprint, guard): (&Footprint, &Expr),
        action: &mut Action,
    ) {
        let mut found: BTreeMap<Key, Vec<(Op, bool)>> = BTreeMap::new();
        let Performed { tried: mut used, waited, wild } = self.uses_of(process_type, footprint, Some(guard));
        action.wild |= wild;
        used.extend(self.moves(process_type, first).into_iter().map(|(key, op)| (key, op, false)));
        let later = steps.later_of(first, &mut action.wild);
        for (key, op, certain) in used.into_iter().chain(later) {
            found.entry(key).or_default().push((op, certain));
        }
        found.entry(Key::World).or_default().push((if action.wild { Op::Wild } else { Op::Touch }, false));
        let broken = steps.broken[first].clone();
        for (key, op) in waited.iter().filter(|(key, _)| !broken.contains(key)) {
            found.entry(*key).and_modify(|ops| ops.iter_mut().for_each(|tried| assure(tried, op)));
        }
        for key in broken {
            found.entry(key).or_default().push((Op::Several, false));
        }
        action.visible = action.wild || found.iter().any(|(key, ops)| self.is_seen(*key, ops));
        for (key, op) in waited {
            found.entry(key).or_default().push((op, false));
        }
        for (key, ops) in found {
            let object = objects.object(self.system, key);
            for (op, certain) in ops {
                let used = Used { object, operation: objects.intern(object, &op), certain };
                if !action.uses.contains(&used) {
                    action.uses.push(used);
                }
            }
        }
        for used in &action.uses {
            let at = used.object as usize;
            if action.own.len() <= at {
                action.own.resize(at + 1, 0);
            }
            action.own[at] |= 1 << used.operation;
        }
    }

    /// The uses of one transition of a step, the first one, of which the guard is given, or a later
    /// one, and which of them are certain. What the guard waits for goes to `waited`.
    fn uses_of(&self, process_type: ProcessTypeId, footprint: &Footprint, guard: Option<&Expr>) -> Performed {
        let is_first = guard.is_some();
        let conjuncts = guard.map(conjuncts).unwrap_or_default();
        let mut found = Performed::default();
        let waits = waits_for(footprint);
        for (uses, source) in footprint.conditions.iter().zip(&footprint.sources) {
            let asks = *source == Source::Excluded || !is_first;
            found.wild |= asks && self.rendezvous && hands_over(uses);
            if is_first && matches!(source, Source::Guard(_)) && repeats(uses, waits) {
                continue;
            }
            if let Source::Guard(k) = source
                && let Some(operation) = conjuncts.get(*k).and_then(|c| waits_on(c, uses))
            {
                let resolved = self.resolve(process_type, uses).into_iter();
                let waits = |op: Op| if is_test(&op) { operation.clone() } else { op };
                found.waited.extend(resolved.map(|(key, op)| (key, waits(op))));
                continue;
            }
            let certain = is_first && *source == Source::Blocking;
            let tried = !is_first && *source == Source::Blocking;
            let resolved = self.resolve(process_type, uses).into_iter();
            let attempted = |op: Op| if tried { attempt(op) } else { op };
            found.tried.extend(resolved.map(|(key, op)| (key, attempted(op), certain)));
        }
        let command = self.resolve(process_type, &footprint.command).into_iter();
        found.tried.extend(command.map(|(key, op)| (key, op, false)));
        found
    }

    /// Objects that steps may use again after they have changed them, against the rule of section
    /// 2.1.
    fn look_for_repeated_use(
        &self,
        process_type: ProcessTypeId,
        footprints: &[Footprint],
        steps: &mut Steps,
    ) {
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        let mut number = |targets: &mut dyn Iterator<Item = Target>| {
            let keys =
                targets.flat_map(|target| self.keys(process_type, target)).filter(|key| is_object(*key));
            let mut bits = Bits::default();
            for key in keys {
                let next = numbers.len();
                bits.insert(*numbers.entry(key).or_insert(next));
            }
            bits
        };
        let used: Vec<Bits> = footprints.iter().map(|f| number(&mut f.all().map(|u| u.target))).collect();
        let after = steps.flow.gathered(&used);
        let mut broken = Vec::new();
        for (footprint, after) in footprints.iter().zip(&after) {
            let changed = number(&mut footprint.all().filter(|u| u.changes()).map(|u| u.target));
            let mut here = number(&mut footprint.repeated.iter().copied());
            here.add(&changed.both(after));
            broken.push((number(&mut footprint.repeated.iter().copied()), here));
        }
        let whole: Vec<Bits> = broken.iter().map(|(_, here)| here.clone()).collect();
        let later = steps.flow.gathered(&whole);
        let mut keys: Vec<Key> = vec![Key::World; numbers.len()];
        numbers.iter().for_each(|(key, number)| keys[*number] = *key);
        for (k, (alone, here)) in broken.into_iter().enumerate() {
            let mut all = alone;
            if steps.goes_on[k] {
                all.add(&here);
                all.add(&later[k]);
            }
            steps.broken.push(all.iter().map(|number| keys[number]).collect());
        }
    }

    /// The points that a transition comes to or leaves, if others ask about them.
    fn moves(&self, process_type: ProcessTypeId, t: TransitionId) -> Vec<(Key, Op)> {
        let t = &self.system.process_types[process_type].transitions[t];
        let asked = [t.pre, t.post].into_iter().filter(|p| self.asked.contains(&(process_type, *p)));
        asked.map(|p| (Key::Location(process_type, p), Op::Move)).collect()
    }

    /// Uses as operations on objects that others can reach.
    pub(super) fn resolve(&self, process_type: ProcessTypeId, uses: &Uses) -> Vec<(Key, Op)> {
        let mut found = Vec::new();
        for used in &uses.operations {
            self.resolve_use(process_type, used, &mut found);
        }
        for special in &uses.specials {
            match special {
                Special::ProcessCount => found.push((Key::Creations, Op::Count)),
                Special::Start => found.push((Key::Creations, Op::Start)),
                Special::Stop | Special::Youngest => found.push((Key::Creations, Op::Stop)),
                Special::At { process_type, point } => {
                    found.push((Key::Creations, Op::Count));
                    found.push((Key::Location(*process_type, *point), Op::At));
                }
                // Halves stand for themselves; timeout is looked at apart; with the others there is
                // no reduction.
                _ => {}
            }
        }
        found
    }

    fn resolve_use(&self, process_type: ProcessTypeId, used: &Use, found: &mut Vec<(Key, Op)>) {
        for key in self.keys(process_type, used.target) {
            let op = match (key, &used.operation) {
                (Key::Remote(..), _) if matches!(used.target, Target::Remote { .. }) => Op::RemoteRead,
                (Key::Remote(..), _) if used.changes() => Op::OwnChange,
                (Key::Remote(..), _) => continue,
                (Key::Creations, _) => Op::Count,
                (Key::Channel(o), On::Channel(channel)) if self.capacity(o) == 0 => match half(*channel) {
                    Some(half) => Op::On(On::Half(half)),
                    None => continue,
                },
                (Key::Escaped, On::Channel(channel)) => {
                    if let (Target::AnyChannel, Some(half)) = (used.target, half(*channel)) {
                        found.push((key, Op::On(On::Half(half))));
                    }
                    Op::On(used.operation.clone())
                }
                _ => Op::On(used.operation.clone()),
            };
            found.push((key, op));
        }
    }

    /// The shared objects that a target may be; which processes live decides what an unknown
    /// channel is.
    fn keys(&self, process_type: ProcessTypeId, target: Target) -> Vec<Key> {
        match target {
            Target::Global(o) if self.system.globals[o].is_channel() => vec![Key::Channel(o)],
            Target::Global(o) => vec![Key::Variable(o)],
            Target::Local(o) if self.system.process_types[process_type].objects[o].is_channel() => {
                self.escaped.contains(&(process_type, o)).then_some(Key::Escaped).into_iter().collect()
            }
            Target::Local(o) => {
                let shared = self.remote.contains(&(process_type, o));
                shared.then_some(Key::Remote(process_type, o)).into_iter().collect()
            }
            Target::Remote { process_type, object } => vec![Key::Remote(process_type, object)],
            Target::AnyChannel => {
                let all = self.system.globals.iter().enumerate().filter(|(_, o)| o.is_channel());
                all.map(|(o, _)| Key::Channel(o)).chain([Key::Escaped, Key::Creations]).collect()
            }
        }
    }

    fn capacity(&self, channel: ObjectId) -> usize {
        match &self.system.globals[channel].kind {
            ObjectKind::Channel { capacity, .. } => *capacity,
            ObjectKind::Variable { .. } => 0,
        }
    }

    /// Futures: over the transitions that can follow each other. What moves only when nothing else
    /// can is no part of the future of anything, as long as another process can move.
    fn look_ahead(&self, process_type: ProcessTypeId, role: &mut Role) {
        let t = &self.system.process_types[process_type];
        let born: Vec<Vec<Mask>> = t.transitions.iter().map(|t| self.born(&t.command)).collect();
        for (k, action) in role.actions.iter_mut().enumerate() {
            action.doing.clone_from(&action.own);
            or_into(&mut action.doing, &born[k]);
            if action.takes_part() {
                action.future.clone_from(&action.doing);
            }
        }
        let mut ahead: Vec<Vec<Mask>> = vec![Vec::new(); role.points.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            // What comes later in a text mostly has the larger number, and its future is needed
            // first.
            for point in (0..ahead.len()).rev() {
                for k in &role.points[point] {
                    let action = &mut role.actions[*k];
                    if action.takes_part() {
                        changed |= or_into(&mut action.future, &ahead[t.transitions[*k].post]);
                    }
                    changed |= or_into(&mut ahead[point], &action.future);
                }
            }
        }
        for (k, action) in role.actions.iter_mut().enumerate().filter(|(_, a)| a.takes_part()) {
            or_into(&mut action.future, &ahead[t.transitions[k].post]);
        }
        role.ahead = ahead;
        for (k, action) in role.actions.iter().enumerate() {
            or_into(&mut role.all, &action.doing);
            or_into(&mut role.born, &born[k]);
        }
        self.look_for_gates(process_type, role);
    }

    /// Transitions whose guards may be found false from afar, and from where they can be come to.
    fn look_for_gates(&self, process_type: ProcessTypeId, role: &mut Role) {
        let t = &self.system.process_types[process_type];
        let gate = |k: &TransitionId| {
            let action = &role.actions[*k];
            action.takes_part() && action.conditions.iter().any(Condition::is_shared)
        };
        role.gates = (0..role.actions.len()).filter(gate).take(MAX_GATES).collect();
        let here = |point: LocationId| {
            let own = role.gates.iter().enumerate().filter(|(_, g)| role.points[point].contains(g));
            own.fold(0, |set, (k, _)| set | 1u64 << k)
        };
        let here: Vec<u64> = (0..role.points.len()).map(here).collect();
        let mut ahead = here.clone();
        loop {
            let before = ahead.clone();
            for point in (0..ahead.len()).rev() {
                let next = role.points[point].iter().filter(|k| role.actions[**k].takes_part());
                ahead[point] |= next.fold(0, |set, k| set | ahead[t.transitions[*k].post]);
            }
            if ahead == before {
                break;
            }
        }
        role.gates_ahead = ahead.into_iter().zip(here).map(|(ahead, here)| ahead & !here).collect();
    }

    fn born(&self, command: &[Operation]) -> Vec<Mask> {
        let mut masks = Vec::new();
        for family in command.iter().filter_map(|o| self.families.get(o.starts()?)) {
            or_into(&mut masks, family);
        }
        masks
    }
}

impl Steps {
    /// What may come after each transition, for process types too large to be followed.
    fn gather(&mut self) {
        if self.later.len() <= FOLLOWED {
            return;
        }
        let mut numbers: HashMap<Tried, usize> = HashMap::new();
        let mut own = Vec::new();
        for (uses, wild) in &self.later {
            let mut bits = Bits::of(wild.then_some(0));
            for tried in uses {
                // Number 0 is what is wild.
                let next = self.uses.len() + 1;
                let number = *numbers.entry(tried.clone()).or_insert(next);
                if number == next {
                    self.uses.push(tried.clone());
                }
                bits.insert(number);
            }
            own.push(bits);
        }
        self.after = self.flow.gathered(&own);
        self.wild = self.after.iter().map(|after| after.iter().next() == Some(0)).collect();
    }

    /// What is used in the middle of the step that a transition begins; whether something there is
    /// wild.
    fn later_of(&self, first: TransitionId, wild: &mut bool) -> Vec<Tried> {
        if !self.goes_on[first] {
            return Vec::new();
        }
        if self.later.len() > FOLLOWED {
            *wild |= self.wild[first];
            let numbers = self.after[first].iter().filter(|number| *number > 0);
            return numbers.map(|number| self.uses[number - 1].clone()).collect();
        }
        let mut members = self.flow.after(first);
        // A loop inside of a step may come back to its first transition.
        if self.flow.loops(first) {
            members.retain(|k| *k != first);
            members.insert(0, first);
        }
        let mut found: Vec<Tried> = Vec::new();
        for k in members {
            let (uses, is_wild) = &self.later[k];
            *wild |= is_wild;
            found.extend(uses.iter().cloned());
        }
        found
    }
}

/// The channel operation that a transition begins with, if it waits for one and nothing else comes
/// before.
fn waits_for(footprint: &Footprint) -> Option<&Use> {
    let mut blocking =
        footprint.conditions.iter().zip(&footprint.sources).filter(|(_, s)| **s == Source::Blocking);
    let (first, _) = blocking.next()?;
    let channel = |u: &&Use| matches!(u.operation, On::Channel(_)) && matches!(u.target, Target::Global(_));
    first.operations.iter().find(channel).filter(|_| blocking.next().is_none())
}

/// Whether a condition only repeats when the operation is possible (`nfull(q)` before `q!m`): then
/// the operation stands for it, as whatever leaves the operation possible leaves the condition as
/// it is.
fn repeats(condition: &Uses, waits: Option<&Use>) -> bool {
    let (Some(waits), [only], true) = (waits, &condition.operations[..], condition.specials.is_empty())
    else {
        return false;
    };
    let pair = match waits.operation {
        On::Channel(OnChannel::Send | OnChannel::SortedSend) => OnChannel::Full,
        On::Channel(o) if o <= OnChannel::RandomReceive => OnChannel::Empty,
        _ => return false,
    };
    only.target == waits.target && only.operation == On::Channel(pair)
}

/// What a guard waits for if it asks whether a channel is not full or not empty. Where it is, the
/// transition is disabled, so that this is more than a test: an operation that is defined only
/// where there is room, or a message.
fn waits_on(conjunct: &Expr, uses: &Uses) -> Option<Op> {
    let tests = uses.operations.iter().filter(|u| matches!(u.operation, On::Channel(_)));
    let [test] = tests.collect::<Vec<_>>()[..] else { return None };
    let Target::Global(_) = test.target else { return None };
    let holds_when_empty = match (conjunct, comparison(conjunct)) {
        (Term::Unary(Unary::Not, asked), _) => match asked.as_ref() {
            Term::Atom(Read::Full(_)) => true,
            Term::Atom(Read::Empty(_)) => false,
            _ => return None,
        },
        (Term::Atom(Read::Length(_)), _) => false,
        (_, Some((Read::Length(_), op, constant))) => {
            apply_binary(op, &BigInt::ZERO, &BigInt::from(constant)).is_ok_and(|v| v != BigInt::ZERO)
        }
        _ => return None,
    };
    match (&test.operation, holds_when_empty) {
        (On::Channel(OnChannel::Full), true) => Some(Op::Room),
        (On::Channel(OnChannel::Empty), false) => Some(Op::Message),
        _ => None,
    }
}

fn is_test(op: &Op) -> bool {
    matches!(op, Op::On(On::Channel(OnChannel::Full | OnChannel::Empty)))
}

/// Whether a send may find its partner in the middle of a step, or is asked whether it would: then
/// what happens depends on where others are, and the step may be theirs to go on.
fn hands_over(uses: &Uses) -> bool {
    let sends = |u: &Use| match u.operation {
        On::Half(half) => half == Half::Offer,
        On::Channel(o) => matches!(o, OnChannel::Send | OnChannel::SortedSend | OnChannel::Full),
        On::Variable(_) | On::Part(_) => false,
    };
    uses.specials.contains(&Special::Partner) && uses.operations.iter().any(sends)
}

/// An operation that is performed if it is possible when its turn comes.
fn attempt(op: Op) -> Op {
    match op {
        Op::On(on @ On::Channel(_)) => Op::Tried(on),
        op => op,
    }
}

/// What is tried on a channel is certain to be possible if the step began by waiting for just that,
/// and has not changed the channel since.
fn assure((tried, certain): &mut (Op, bool), waited: &Op) {
    use OnChannel::{Receive, Send, SortedSend};
    if let (Op::Tried(on @ On::Channel(Send | SortedSend)), Op::Room)
    | (Op::Tried(on @ On::Channel(Receive)), Op::Message) = (&*tried, waited)
    {
        (*tried, *certain) = (Op::On(on.clone()), true);
    }
}

fn half(operation: OnChannel) -> Option<Half> {
    match operation {
        OnChannel::Send | OnChannel::SortedSend => Some(Half::Offer),
        OnChannel::Receive | OnChannel::MatchingReceive | OnChannel::RandomReceive => Some(Half::Accept),
        _ => None,
    }
}

/// Whether `Several` means something on the object.
fn is_object(key: Key) -> bool {
    matches!(key, Key::Variable(_) | Key::Channel(_) | Key::Escaped)
}
