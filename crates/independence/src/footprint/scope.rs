//! Collects the uses of one transition from its terms and operations.

use super::naming::Written;
use super::{Footprint, Source, Special, Target, Use, Uses, conjuncts, recognize};
use crate::scheduling::{Choice, ProcessRules};
use logic::{Binary, Sort, Term, Unary};
use objects::Operation as On;
use objects::array::Part;
use objects::channel::Operation as OnChannel;
use objects::rendezvous::Half;
use objects::variable::Operation as OnVariable;
use std::collections::BTreeSet;
use system::*;

/// Where a transition stands.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) system: &'a System,
    pub(super) written: &'a Written,
    pub(super) process_type: ProcessTypeId,
}

impl<'a> Scope<'a> {
    pub(super) fn footprint(self, transition: TransitionId) -> Footprint {
        let t = &self.system.process_types[self.process_type].transitions[transition];
        let mut found = self.enabling(t);
        if let Some(rules) =
            self.system.scheduling.as_ref().and_then(|d| d.process_types.get(self.process_type))
        {
            found.extend(rules.provided.iter().map(|p| (self.condition(p), Source::Provided)));
            let excluded = self.forbidding(rules, t.pre, transition).into_iter();
            found.extend(excluded.map(|uses| (uses, Source::Excluded)));
        }
        let (conditions, sources) = found.into_iter().unzip();
        let mut command = Uses::default();
        for operation in &t.command {
            self.command(operation, &mut command);
        }
        Footprint { conditions, sources, command, repeated: self.repeated(t) }
    }

    /// What must hold for the transition itself: each conjunct, each operation that may block.
    fn enabling(self, t: &Transition) -> Vec<(Uses, Source)> {
        let guard = conjuncts(&t.guard).into_iter().enumerate();
        let open = guard.filter(|(_, term)| !matches!(term, Term::Constant(_)));
        let mut conditions: Vec<_> = open.map(|(k, term)| (self.condition(term), Source::Guard(k))).collect();
        for operation in &t.command {
            let mut uses = Uses::default();
            if self.blocking(operation, &mut uses) {
                conditions.push((uses, Source::Blocking));
            }
        }
        conditions
    }

    /// What must be impossible for the choice to be looked at: escapes of higher tiers, and what
    /// `else` excludes.
    fn forbidding(self, rules: &ProcessRules, point: LocationId, transition: TransitionId) -> Vec<Uses> {
        let tiers = rules.points.get(point).map_or(&[][..], |p| &p.tiers);
        let is_it = |c: &Choice| c.transition == transition;
        let Some(own) = tiers.iter().position(|tier| tier.choices.iter().any(is_it)) else {
            return Vec::new();
        };
        let listed = &tiers[own].choices;
        let place = listed.iter().position(is_it).unwrap_or(0);
        let before = if listed[place].otherwise { &listed[..place] } else { &[] };
        let others = tiers[..own].iter().flat_map(|tier| &tier.choices).chain(before);
        others.flat_map(|c| self.asking(c.transition)).collect()
    }

    /// Whether a transition could be taken, as a question: nothing is sent or received.
    fn asking(self, transition: TransitionId) -> Vec<Uses> {
        let Some(t) = self.system.process_types[self.process_type].transitions.get(transition) else {
            return Vec::new();
        };
        let mut conditions: Vec<Uses> = self.enabling(t).into_iter().map(|(uses, _)| uses).collect();
        for used in conditions.iter_mut().flat_map(|c| &mut c.operations) {
            if let On::Channel(operation) = &mut used.operation {
                *operation = match *operation {
                    OnChannel::Send | OnChannel::SortedSend => OnChannel::Full,
                    OnChannel::Receive => OnChannel::Empty,
                    OnChannel::MatchingReceive | OnChannel::CopyingReceive => OnChannel::Poll,
                    OnChannel::RandomReceive | OnChannel::RandomCopy => OnChannel::RandomPoll,
                    other => other,
                };
            }
        }
        conditions
    }

    fn condition(self, term: &Expr) -> Uses {
        let mut uses = Uses::default();
        self.term(term, true, &mut uses);
        uses
    }

    /// The uses of a term; with `truth` only whether it is zero matters.
    pub(super) fn term(self, term: &Expr, truth: bool, uses: &mut Uses) {
        if let Some((read, comparison, constant)) = recognize::comparison(term) {
            return self.test(read, comparison, constant, uses);
        }
        match term {
            Term::Constant(_) => {}
            Term::Atom(read) if truth => self.test(read, Binary::NotEqual, 0, uses),
            Term::Atom(read) => self.read(read, None, uses),
            Term::Unary(op, a) => self.term(a, *op == Unary::Not, uses),
            Term::Wrap(_, a) => self.term(a, false, uses),
            Term::Binary(op, a, b) => {
                let truth = matches!(op, Binary::And | Binary::Or);
                self.term(a, truth, uses);
                self.term(b, truth, uses);
            }
            Term::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                self.term(condition, true, uses);
                self.term(then, truth, uses);
                self.term(otherwise, truth, uses);
            }
        }
    }

    /// A comparison of something that is read with a constant.
    fn test(self, read: &Read, comparison: Binary, constant: i64, uses: &mut Uses) {
        if let Read::Length(channel) = read {
            let capacity = self.known_channel(channel).map(|(_, capacity)| capacity);
            let test = recognize::length_test(comparison, constant, capacity);
            self.on_channel(channel, test, uses);
        } else {
            self.read(read, Some(OnVariable::Test(comparison, constant)), uses);
        }
    }

    /// A read; of a variable only the outcome of `test` matters, if there is one.
    fn read(self, read: &Read, test: Option<OnVariable>, uses: &mut Uses) {
        let mut about = |process: &Expr, special| {
            self.term(process, false, uses);
            uses.specials.insert(special);
        };
        match read {
            Read::Place(place) => self.on_place(place, test.unwrap_or(OnVariable::Read), uses),
            Read::Handle(_) | Read::Myself => {}
            Read::ProcessCount | Read::Instance(_) => drop(uses.specials.insert(Special::ProcessCount)),
            Read::Last => drop(uses.specials.insert(Special::Last)),
            Read::Timeout => drop(uses.specials.insert(Special::Timeout)),
            Read::NonProgress => drop(uses.specials.insert(Special::NonProgress)),
            Read::Accepting => drop(uses.specials.insert(Special::Accepting)),
            Read::Enabled(process) => about(process, Special::Enabled),
            Read::Location(process) => about(process, Special::Location),
            Read::Priority(process) => about(process, Special::Priority),
            Read::At { process, process_type, point } => {
                about(process, Special::At { process_type: *process_type, point: *point });
            }
            Read::Length(channel) => self.on_channel(channel, OnChannel::Length, uses),
            Read::Empty(channel) => self.on_channel(channel, OnChannel::Empty, uses),
            Read::Full(channel) => self.on_channel(channel, OnChannel::Full, uses),
            Read::Poll { channel, patterns, anywhere } => {
                self.matched(patterns, uses);
                let poll = if *anywhere { OnChannel::RandomPoll } else { OnChannel::Poll };
                self.on_channel(channel, poll, uses);
            }
        }
    }

    fn matched(self, patterns: &[Pattern], uses: &mut Uses) {
        for pattern in patterns {
            if let Pattern::Match(term) = pattern {
                self.term(term, false, uses);
            }
        }
    }

    /// An operation on a variable or a part of one.
    fn on_place(self, place: &Place, operation: OnVariable, uses: &mut Uses) {
        let target = match &place.root {
            Root::Global(object) => Target::Global(*object),
            Root::Local(object) => Target::Local(*object),
            Root::Remote { process, process_type, object } => {
                self.term(process, false, uses);
                uses.specials.insert(Special::ProcessCount);
                Target::Remote { process_type: *process_type, object: *object }
            }
        };
        let mut path = Vec::new();
        for access in &place.path {
            path.push(match access {
                Access::Field(field) => Some(*field),
                Access::Index(Term::Constant(c)) => usize::try_from(*c).ok(),
                Access::Index(term) => {
                    self.term(term, false, uses);
                    None
                }
            });
        }
        let operation =
            if path.is_empty() { On::Variable(operation) } else { On::Part(Part { path, operation }) };
        uses.operations.push(Use { target, operation });
    }

    /// The channel a term names and its capacity, if the text tells.
    fn known_channel(self, channel: &Expr) -> Option<(Target, usize)> {
        let (target, object) = self.written.channel(self.system, self.process_type, channel)?;
        match &object.kind {
            ObjectKind::Channel { capacity, .. } => Some((target, *capacity)),
            ObjectKind::Variable { .. } => None,
        }
    }

    fn on_channel(self, channel: &Expr, operation: OnChannel, uses: &mut Uses) {
        let (target, operation) = match self.known_channel(channel) {
            None => {
                self.term(channel, false, uses);
                (Target::AnyChannel, On::Channel(operation))
            }
            Some((target, 0)) => match operation {
                OnChannel::Send | OnChannel::SortedSend => (target, On::Half(Half::Offer)),
                OnChannel::Receive | OnChannel::MatchingReceive | OnChannel::RandomReceive => {
                    (target, On::Half(Half::Accept))
                }
                // Nothing is ever in it: no question about its contents depends on anything.
                _ => return,
            },
            Some((target, _)) => (target, On::Channel(operation)),
        };
        let partner = match &operation {
            On::Half(_) => true,
            On::Channel(o) => target == Target::AnyChannel && *o <= OnChannel::RandomReceive,
            _ => false,
        };
        if partner {
            uses.specials.insert(Special::Partner);
        }
        uses.operations.push(Use { target, operation });
    }

    /// The condition that an operation can be done; `false` if it always can.
    fn blocking(self, operation: &Operation, uses: &mut Uses) -> bool {
        match operation {
            Operation::Send { channel, sorted, .. } => {
                let send = if *sorted { OnChannel::SortedSend } else { OnChannel::Send };
                self.on_channel(channel, send, uses);
            }
            Operation::Receive { channel, patterns, mode } => {
                self.matched(patterns, uses);
                let asks = patterns.iter().any(|p| matches!(p, Pattern::Match(_)));
                let receive = match (mode.anywhere && asks, mode.copy) {
                    (false, false) if asks => OnChannel::MatchingReceive,
                    (false, false) => OnChannel::Receive,
                    (true, false) => OnChannel::RandomReceive,
                    (false, true) => OnChannel::CopyingReceive,
                    (true, true) => OnChannel::RandomCopy,
                };
                self.on_channel(channel, receive, uses);
            }
            Operation::Stop => drop(uses.specials.insert(Special::Youngest)),
            Operation::Assign { .. }
            | Operation::Start { .. }
            | Operation::SetPriority { .. }
            | Operation::Assert { .. }
            | Operation::Print { .. } => return false,
        }
        true
    }

    /// What an operation does besides what it waits for.
    fn command(self, operation: &Operation, uses: &mut Uses) {
        let each = |terms: &[Expr], uses: &mut Uses| terms.iter().for_each(|t| self.term(t, false, uses));
        match operation {
            Operation::Assign { target, value } => self.assign(target, value, uses),
            Operation::Send { message, .. } => each(message, uses),
            Operation::Receive { patterns, .. } => {
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        self.on_place(place, OnVariable::Write, uses);
                    }
                }
            }
            Operation::Start { process_type, arguments, priority, result } => {
                each(arguments, uses);
                self.born(*process_type, uses);
                each(priority.as_slice(), uses);
                uses.specials.insert(Special::Start);
                if let Some(place) = result {
                    self.on_place(place, OnVariable::Write, uses);
                }
            }
            Operation::SetPriority { process, priority } => {
                self.term(process, false, uses);
                self.term(priority, false, uses);
                uses.specials.insert(Special::SetPriority);
            }
            Operation::Assert { condition } => self.term(condition, true, uses),
            Operation::Print { arguments, .. } => each(arguments, uses),
            Operation::Stop => drop(uses.specials.insert(Special::Stop)),
        }
    }

    /// What the initial values of a process read: others' objects, as its own are not there before.
    fn born(self, process_type: ProcessTypeId, uses: &mut Uses) {
        let child = Scope { process_type, ..self };
        let mut read = Uses::default();
        for object in self.system.process_types.get(process_type).map_or(&[][..], |t| &t.objects) {
            if let ObjectKind::Variable { initial, .. } = &object.kind {
                child.initial(initial, &mut read);
            }
        }
        let shared = read.operations.into_iter().filter(|u| !matches!(u.target, Target::Local(_)));
        uses.operations.extend(shared);
        uses.specials.extend(read.specials);
    }

    fn initial(self, initial: &Initial, uses: &mut Uses) {
        match initial {
            Initial::Term(term) => self.term(term, false, uses),
            Initial::Each(one) => self.initial(one, uses),
            Initial::Parts(parts) => parts.iter().for_each(|p| self.initial(p, uses)),
            Initial::Zero | Initial::Argument(_) => {}
        }
    }

    fn assign(self, target: &Place, value: &Expr, uses: &mut Uses) {
        let update = self.sort(target).and_then(|sort| recognize::update(sort, target, value));
        if update.is_none() {
            self.term(value, false, uses);
        }
        self.on_place(target, update.unwrap_or(OnVariable::Write), uses);
    }

    /// The sort of a place.
    fn sort(self, place: &Place) -> Option<&'a Sort> {
        let object = match &place.root {
            Root::Global(o) => self.system.globals.get(*o)?,
            Root::Local(o) => self.system.process_types[self.process_type].objects.get(*o)?,
            Root::Remote { process_type, object, .. } => {
                self.system.process_types.get(*process_type)?.objects.get(*object)?
            }
        };
        let ObjectKind::Variable { sort, .. } = &object.kind else { return None };
        place.path.iter().try_fold(sort, |sort, access| match (sort, access) {
            (Sort::Array(element, _), _) => Some(element.as_ref()),
            (Sort::Record(fields), Access::Field(k)) => fields.get(*k).map(|(_, s)| s),
            _ => None,
        })
    }

    /// The objects used again after a change.
    fn repeated(self, t: &Transition) -> Vec<Target> {
        let (mut changed, mut repeated) = (Vec::new(), BTreeSet::new());
        for operation in &t.command {
            let mut uses = Uses::default();
            self.blocking(operation, &mut uses);
            self.command(operation, &mut uses);
            for used in uses.operations {
                let before: Vec<&Use> = changed.iter().filter(|c: &&Use| c.may_meet(&used)).collect();
                if !before.is_empty() {
                    repeated.extend(before.iter().map(|c| c.target).chain([used.target]));
                }
                // Who may meet depends on these two alone.
                let same = |c: &Use| c.target == used.target && c.is_on_channel() == used.is_on_channel();
                if used.changes() && !changed.iter().any(same) {
                    changed.push(used);
                }
            }
        }
        repeated.into_iter().collect()
    }
}
