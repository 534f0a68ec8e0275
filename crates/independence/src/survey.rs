//! What the text of a system tells before any state: what is never written, what others can see of
//! a process.

use super::NotReduced;
use crate::footprint::{Special, Target, footprints, proposition};
use logic::{Sort, Term};
use std::collections::BTreeSet;
use system::*;

#[derive(Clone)]
pub(super) struct Survey {
    /// By process type: local scalars that keep their first value as long as it matters.
    pub constants: Vec<Vec<ObjectId>>,
    /// By process type: whether it reads its own number.
    pub reads_myself: Vec<bool>,
    /// Globals that nothing writes.
    pub fixed: BTreeSet<ObjectId>,
    /// Globals that name channels and are written.
    pub names: BTreeSet<ObjectId>,
    pub escaped: BTreeSet<(ProcessTypeId, ObjectId)>,
    pub remote: BTreeSet<(ProcessTypeId, ObjectId)>,
    pub asked: BTreeSet<(ProcessTypeId, LocationId)>,
    pub rendezvous: bool,
    /// How many global channels there are.
    pub channels: i64,
    /// By process type: locals that name channels.
    local_names: Vec<BTreeSet<ObjectId>>,
    /// Local variables that are read other than as the channel of an operation.
    given: BTreeSet<(ProcessTypeId, ObjectId)>,
}

impl Survey {
    pub fn of(system: &System, original: &System) -> Result<Survey, NotReduced> {
        if system.scheduling.as_ref().is_some_and(|d| d.priorities) {
            return Err(NotReduced::Priorities);
        }
        let mut survey = Survey {
            constants: Vec::new(),
            reads_myself: vec![false; system.process_types.len()],
            fixed: BTreeSet::new(),
            names: BTreeSet::new(),
            escaped: BTreeSet::new(),
            remote: BTreeSet::new(),
            asked: BTreeSet::new(),
            given: BTreeSet::new(),
            channels: system.globals.iter().filter(|o| o.is_channel()).count() as i64,
            local_names: system.process_types.iter().map(|t| names_among(&t.objects)).collect(),
            rendezvous: all_objects(system)
                .any(|o| matches!(o.kind, ObjectKind::Channel { capacity: 0, .. })),
        };
        survey.look_at_footprints(system)?;
        survey.look_at_propositions(system)?;
        survey.look_at_writes(original);
        survey.look_at_reads(system);
        survey.close_escapes(system);
        Ok(survey)
    }

    pub fn is_name(&self, process_type: ProcessTypeId, object: ObjectId) -> bool {
        self.local_names[process_type].contains(&object)
    }

    fn look_at_footprints(&mut self, system: &System) -> Result<(), NotReduced> {
        for footprint in footprints(system).iter().flatten() {
            for special in footprint.specials() {
                match special {
                    Special::Last => return Err(NotReduced::Last),
                    Special::Enabled => return Err(NotReduced::Enabled),
                    Special::Location => return Err(NotReduced::Location),
                    Special::NonProgress | Special::Accepting => return Err(NotReduced::NonProgress),
                    Special::Priority | Special::SetPriority => return Err(NotReduced::Priorities),
                    Special::At { process_type, point } => drop(self.asked.insert((process_type, point))),
                    _ => {}
                }
            }
            for used in footprint.all() {
                if let Target::Remote { process_type, object } = used.target {
                    self.remote.insert((process_type, object));
                }
            }
        }
        Ok(())
    }

    /// What is observed of a process is seen by others; what every step may change cannot be
    /// observed in a reduced system.
    fn look_at_propositions(&mut self, system: &System) -> Result<(), NotReduced> {
        for uses in system.propositions.iter().map(|p| proposition(system, p)) {
            for special in &uses.specials {
                match special {
                    Special::Last => return Err(NotReduced::Last),
                    Special::Enabled => return Err(NotReduced::Enabled),
                    Special::Location => return Err(NotReduced::Location),
                    Special::Timeout => return Err(NotReduced::Timeout),
                    Special::Priority => return Err(NotReduced::Priorities),
                    Special::At { process_type, point } => drop(self.asked.insert((*process_type, *point))),
                    Special::NonProgress => self.asked.extend(points(system, |p| p.progress)),
                    Special::Accepting => self.asked.extend(points(system, |p| p.accept)),
                    _ => {}
                }
            }
            for used in &uses.operations {
                match used.target {
                    Target::Remote { process_type, object } => {
                        self.remote.insert((process_type, object));
                    }
                    // It may be a channel of any process.
                    Target::AnyChannel => self.escaped.extend(local_channels(system)),
                    Target::Global(_) | Target::Local(_) => {}
                }
            }
        }
        Ok(())
    }

    /// A variable that only a simplification writes is dead where it does.
    fn look_at_writes(&mut self, original: &System) {
        let written = original.written();
        for (o, object) in original.globals.iter().enumerate() {
            let ObjectKind::Variable { sort, .. } = &object.kind else { continue };
            if !written.contains(&(None, o)) {
                self.fixed.insert(o);
            } else if is_name(sort) {
                self.names.insert(o);
            }
        }
        for (id, process_type) in original.process_types.iter().enumerate() {
            let scalar =
                |o: &Object| matches!(&o.kind, ObjectKind::Variable { sort, .. } if sort.is_scalar());
            let kept = process_type.objects.iter().enumerate().filter(|(_, o)| scalar(o)).map(|(o, _)| o);
            self.constants.push(kept.filter(|o| !written.contains(&(Some(id), *o))).collect());
        }
    }

    fn look_at_reads(&mut self, system: &System) {
        for (id, process_type) in system.process_types.iter().enumerate() {
            let rules = system.scheduling.as_ref().and_then(|d| d.process_types.get(id));
            let mut look = |term: &Expr, as_channel: bool| {
                self.look_at_term(id, term, as_channel);
            };
            rules.iter().filter_map(|r| r.provided.as_ref()).for_each(|p| look(p, false));
            for t in &process_type.transitions {
                look(&t.guard, false);
                for operation in &t.command {
                    terms_of(operation, &mut look);
                }
            }
            for object in &process_type.objects {
                if let ObjectKind::Variable { initial, .. } = &object.kind {
                    // That a name begins as a channel of its own gives nothing away; reading the
                    // name may.
                    initial_terms(initial, &mut |t| look(t, true));
                }
            }
        }
    }

    /// If a name that is given away may stand for a channel of its owner, all of the owner's
    /// channels are.
    fn close_escapes(&mut self, system: &System) {
        for (process_type, object) in &self.given {
            let owner = &system.process_types[*process_type];
            let ObjectKind::Variable { sort, .. } = &owner.objects[*object].kind else { continue };
            if is_name(sort) {
                let channels = owner.objects.iter().enumerate().filter(|(_, o)| o.is_channel());
                self.escaped.extend(channels.map(|(o, _)| (*process_type, o)));
            }
        }
    }

    /// A handle that is not the channel of an operation is given away, and so is what a name stands
    /// for.
    fn look_at_term(&mut self, process_type: ProcessTypeId, term: &Expr, as_channel: bool) {
        if as_channel {
            match term {
                Term::Atom(Read::Handle(_)) => return,
                Term::Atom(Read::Place(place)) => return self.look_at_path(process_type, place),
                _ => {}
            }
        }
        let mut atoms = Vec::new();
        term.atoms(&mut |read| atoms.push(read));
        for read in atoms {
            match read {
                Read::Myself => self.reads_myself[process_type] = true,
                Read::Handle(Root::Local(o)) => drop(self.escaped.insert((process_type, *o))),
                Read::Handle(Root::Remote { process_type, object, .. }) => {
                    self.escaped.insert((*process_type, *object));
                }
                Read::Place(place) => {
                    self.give_away(process_type, place);
                    self.look_at_path(process_type, place);
                }
                Read::Enabled(t) | Read::Location(t) | Read::Priority(t) => {
                    self.look_at_term(process_type, t, false);
                }
                Read::At { process, .. } => self.look_at_term(process_type, process, false),
                Read::Length(c) | Read::Empty(c) | Read::Full(c) => self.look_at_term(process_type, c, true),
                Read::Poll { channel, patterns, .. } => {
                    self.look_at_term(process_type, channel, true);
                    for pattern in patterns {
                        if let Pattern::Match(t) = pattern {
                            self.look_at_term(process_type, t, false);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A name that is read, and may stand for any channel of its owner.
    fn give_away(&mut self, process_type: ProcessTypeId, place: &Place) {
        let (owner, object) = match &place.root {
            Root::Global(_) => return,
            Root::Local(o) => (process_type, *o),
            Root::Remote { process_type, object, .. } => (*process_type, *object),
        };
        self.given.insert((owner, object));
    }

    fn look_at_path(&mut self, process_type: ProcessTypeId, place: &Place) {
        if let Root::Remote { process, .. } = &place.root {
            self.look_at_term(process_type, process, false);
        }
        for access in &place.path {
            if let Access::Index(term) = access {
                self.look_at_term(process_type, term, false);
            }
        }
    }
}

/// The points of all process types that are so.
pub(super) fn points(
    system: &System,
    wanted: impl Fn(&Location) -> bool,
) -> impl Iterator<Item = (ProcessTypeId, LocationId)> {
    let process_types = system.process_types.iter().enumerate();
    process_types.flat_map(move |(t, process_type)| {
        let here: Vec<_> = process_type.points.iter().enumerate().filter(|(_, p)| wanted(p)).collect();
        here.into_iter().map(move |(p, _)| (t, p))
    })
}

fn local_channels(system: &System) -> impl Iterator<Item = (ProcessTypeId, ObjectId)> {
    let process_types = system.process_types.iter().enumerate();
    process_types.flat_map(|(t, process_type)| {
        let channels = process_type.objects.iter().enumerate().filter(|(_, o)| o.is_channel());
        channels.map(move |(o, _)| (t, o))
    })
}

fn all_objects(system: &System) -> impl Iterator<Item = &Object> {
    system.globals.iter().chain(system.process_types.iter().flat_map(|t| &t.objects))
}

fn names_among(objects: &[Object]) -> BTreeSet<ObjectId> {
    let name = |o: &Object| matches!(&o.kind, ObjectKind::Variable { sort, .. } if is_name(sort));
    objects.iter().enumerate().filter(|(_, o)| name(o)).map(|(k, _)| k).collect()
}

/// Whether values of the sort name channels.
fn is_name(sort: &Sort) -> bool {
    match sort {
        Sort::Channel => true,
        Sort::Array(element, _) => is_name(element),
        Sort::Record(fields) => fields.iter().any(|(_, s)| is_name(s)),
        Sort::Integer | Sort::Machine(_) => false,
    }
}

/// The path of a place if all its indices are constants.
pub(super) fn constant_path(place: &Place) -> Option<Vec<usize>> {
    let step = |access: &Access| match access {
        Access::Field(field) => Some(*field),
        Access::Index(Term::Constant(c)) => usize::try_from(*c).ok(),
        Access::Index(_) => None,
    };
    place.path.iter().map(step).collect()
}

/// The terms of an operation, and whether each is the channel it is on.
fn terms_of(operation: &Operation, visit: &mut impl FnMut(&Expr, bool)) {
    for place in operation.writes() {
        for access in &place.path {
            if let Access::Index(term) = access {
                visit(term, false);
            }
        }
    }
    match operation {
        Operation::Assign { value, .. } => visit(value, false),
        Operation::Send { channel, message, .. } => {
            visit(channel, true);
            message.iter().for_each(|t| visit(t, false));
        }
        Operation::Receive { channel, patterns, .. } => {
            visit(channel, true);
            for pattern in patterns {
                if let Pattern::Match(t) = pattern {
                    visit(t, false);
                }
            }
        }
        Operation::Start { arguments, priority, .. } => {
            arguments.iter().chain(priority).for_each(|t| visit(t, false));
        }
        Operation::SetPriority { process, priority } => {
            visit(process, false);
            visit(priority, false);
        }
        Operation::Assert { condition } => visit(condition, false),
        Operation::Print { arguments, .. } => arguments.iter().for_each(|t| visit(t, false)),
        Operation::Stop => {}
    }
}

fn initial_terms(initial: &Initial, visit: &mut impl FnMut(&Expr)) {
    match initial {
        Initial::Term(term) => visit(term),
        Initial::Each(one) => initial_terms(one, visit),
        Initial::Parts(parts) => parts.iter().for_each(|p| initial_terms(p, visit)),
        Initial::Zero | Initial::Argument(_) => {}
    }
}
