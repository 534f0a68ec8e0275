//! What is asked about the uses of steps and conditions, prepared once for each: most of it depends
//! on no state and is one set of rows; for the rest it is known where the state must be looked at.
//!
//! What is found out about rows is kept by their numbers. So in a state there is nothing left to do
//! but to look at it and to look up. All is prepared when it is first asked for, and again when a
//! new role brings operations that were not known.

use crate::object_table::{Key, Mask, Objects, Op, Question, Sight};
use crate::role::{Role, Used};
use crate::rows::{Known, Row, RowsId};
use crate::{Algorithm, Method, Snapshot};
use objects::rendezvous::Half;
use objects::{Dependency, Operation as On, array};
use std::sync::Arc;
use system::{LocationId, ObjectId, TransitionId};

/// Where a state tells something of an object.
#[derive(Clone, Debug)]
enum Eye {
    Nothing,
    Length(ObjectId),
    Value(ObjectId, Box<[usize]>),
}

impl Eye {
    fn of(objects: &Objects, used: &Used) -> Eye {
        let Some(operation) = objects.operation(used.object, used.operation) else { return Eye::Nothing };
        match (objects.key(used.object), operation) {
            (
                Key::Channel(o),
                Op::On(On::Channel(_)) | Op::Tried(On::Channel(_)) | Op::Room | Op::Message,
            ) => Eye::Length(o),
            (Key::Variable(o), Op::On(On::Variable(_))) => Eye::Value(o, Box::default()),
            (Key::Variable(o), Op::On(On::Part(array::Part { path, .. }))) => {
                path.iter().copied().collect::<Option<_>>().map_or(Eye::Nothing, |path| Eye::Value(o, path))
            }
            _ => Eye::Nothing,
        }
    }

    fn look(&self, snapshot: &impl Snapshot) -> Sight {
        match self {
            Eye::Nothing => Sight::Nothing,
            Eye::Length(channel) => Sight::Length(snapshot.length(*channel)),
            Eye::Value(o, path) => snapshot.global(*o, path).map_or(Sight::Nothing, Sight::Value),
        }
    }
}

/// How the operations looked for are related to one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// By ▷s, or what includes it where the state tells nothing.
    Interferes { by: Dependency, is_enabled: bool },
    /// By Definition 3.18.
    Dependent(Dependency),
    /// Whatever the state is.
    Fixed(Question, Dependency),
}

impl Ask {
    fn question(self, sight: Sight) -> (Question, Dependency) {
        match self {
            Ask::Interferes { by, is_enabled } => match (sight, is_enabled) {
                (Sight::Nothing, true) => (Question::DoNotAccord, by),
                (Sight::Nothing, false) => (Question::CanBeDependent, by),
                _ => (Question::Interferes, by),
            },
            Ask::Dependent(by) => (Question::Dependent, by),
            Ask::Fixed(question, by) => (question, by),
        }
    }

    /// Whether the operation is known to be possible.
    fn possible(self, used: &Used) -> Option<bool> {
        let reported = match self {
            Ask::Interferes { is_enabled, .. } => is_enabled,
            Ask::Dependent(_) => true,
            Ask::Fixed(..) => false,
        };
        (reported && used.certain).then_some(true)
    }
}

/// Uses as rows.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    ask: Ask,
    /// Only what changes its object counts.
    changing: bool,
    /// What depends on no state.
    fixed: RowsId,
    seen: Vec<(Used, Eye)>,
}

impl Prepared {
    /// `more` are rows besides those of the uses.
    fn new<'a>(
        objects: &mut Objects,
        uses: impl Iterator<Item = &'a Used>,
        ask: Ask,
        changing: bool,
        more: Vec<Row>,
    ) -> Prepared {
        let (mut fixed, mut seen) = (more, Vec::new());
        for used in uses {
            let blind = objects.related(used.both(), ask.question(Sight::Nothing), Sight::Nothing, None).mask;
            let eye = Eye::of(objects, used);
            let depends = match (&eye, ask) {
                (Eye::Nothing, _) | (_, Ask::Fixed(..)) => false,
                (Eye::Length(_), _) => true,
                // Only the conditional relation looks at values.
                (Eye::Value(..), Ask::Interferes { by, .. } | Ask::Dependent(by)) => {
                    let any = Sight::Value(0);
                    by == Dependency::Conditional
                        || objects.related(used.both(), ask.question(any), any, None).mask != blind
                }
            };
            if depends {
                seen.push((*used, eye));
            } else {
                fixed.push((
                    used.object,
                    if changing { blind & objects.changers(used.object) } else { blind },
                ));
            }
        }
        Prepared { ask, changing, fixed: objects.rows.number(fixed), seen }
    }

    /// Adds the rows of this state.
    pub fn gather(&self, objects: &mut Objects, snapshot: &impl Snapshot, rows: &mut Vec<RowsId>) {
        if self.fixed != 0 {
            rows.push(self.fixed);
        }
        for (used, eye) in &self.seen {
            let sight = eye.look(snapshot);
            let asked = self.ask.question(sight);
            let related = objects.related(used.both(), asked, sight, self.ask.possible(used));
            rows.push(if self.changing { related.changing } else { related.all });
        }
    }
}

/// The number of something prepared.
type PreparedId = u32;

const NONE: PreparedId = PreparedId::MAX;

/// What is prepared for a transition of a role.
#[derive(Clone)]
struct Prepares {
    /// Its step: disabled and enabled, then beside others by the three relations.
    steps: [PreparedId; 5],
    /// Its conditions: whole, and by the length of a channel alone.
    conditions: Vec<[PreparedId; 2]>,
    /// Whether its step has an operation of the rows.
    met: Known<bool>,
}

/// What is known of a role.
#[derive(Clone)]
pub(super) struct RoleTables {
    actions: Vec<Prepares>,
    /// By point: whether an operation of the rows may come.
    ahead: Vec<Known<bool>>,
}

impl RoleTables {
    pub fn new(role: &Role) -> RoleTables {
        let actions = role.actions.iter().map(|action| Prepares {
            steps: [NONE; 5],
            conditions: vec![[NONE; 2]; action.conditions.len()],
            met: Known::default(),
        });
        RoleTables { actions: actions.collect(), ahead: vec![Known::default(); role.points.len()] }
    }
}

/// Everything prepared, and what is known of rows.
#[derive(Clone, Default)]
pub(super) struct Tables {
    prepared: Vec<Prepared>,
    roles: Vec<RoleTables>,
    /// What it was prepared for: the method, and how many operations there were.
    method: Option<Method>,
    operations: usize,
}

/// A transition of a role, by the role's number.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub number: usize,
    pub role: &'a Role,
    pub transition: TransitionId,
}

impl Tables {
    /// Makes room for new roles, and forgets what was prepared before they brought new operations.
    pub fn admit(&mut self, roles: &[Arc<Role>], objects: &Objects) {
        let new = &roles[self.roles.len()..];
        self.roles.extend(new.iter().map(|role| RoleTables::new(role)));
        if self.operations != objects.operations {
            self.operations = objects.operations;
            self.forget();
        }
    }

    /// Forgets what was prepared for another method.
    pub fn adopt(&mut self, method: Method) {
        if self.method != Some(method) {
            self.method = Some(method);
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.prepared.clear();
        for action in self.roles.iter_mut().flat_map(|role| &mut role.actions) {
            action.steps = [NONE; 5];
            action.conditions.iter_mut().for_each(|condition| *condition = [NONE; 2]);
        }
    }

    /// The operations of others that matter to a step, the other halves of its handshakes among
    /// them.
    pub fn step(
        &mut self,
        objects: &mut Objects,
        at: Place<'_>,
        method: Method,
        is_enabled: bool,
    ) -> &Prepared {
        self.adopt(method);
        let by = method.dependency;
        let ask = match (method.conditional, method.algorithm) {
            (true, _) => Ask::Interferes { by, is_enabled },
            (false, Algorithm::Stubborn) if is_enabled => Ask::Fixed(Question::DoNotAccord, by),
            (false, _) => Ask::Fixed(Question::CanBeDependent, by),
        };
        let number = &mut self.roles[at.number].actions[at.transition].steps[usize::from(is_enabled)];
        if *number == NONE {
            *number = self.prepared.len() as PreparedId;
            let action = &at.role.actions[at.transition];
            let halves = action.halves.iter().map(|(object, half)| {
                let wanted = match half {
                    Half::Offer => Half::Accept,
                    Half::Accept => Half::Offer,
                };
                (*object, objects.bit(*object, &Op::On(On::Half(wanted))))
            });
            let halves = halves.collect();
            self.prepared.push(Prepared::new(objects, action.uses.iter(), ask, false, halves));
        }
        &self.prepared[*number as usize]
    }

    /// The operations that a step depends on here.
    pub fn beside(&mut self, objects: &mut Objects, at: Place<'_>, by: Dependency) -> &Prepared {
        let number = &mut self.roles[at.number].actions[at.transition].steps[2 + by as usize];
        if *number == NONE {
            *number = self.prepared.len() as PreparedId;
            let uses = at.role.actions[at.transition].uses.iter();
            self.prepared.push(Prepared::new(objects, uses, Ask::Dependent(by), false, Vec::new()));
        }
        &self.prepared[*number as usize]
    }

    /// The operations that may make a condition true, if `by_length` that of a channel whose length
    /// forbids it.
    pub fn condition(
        &mut self,
        objects: &mut Objects,
        at: Place<'_>,
        k: usize,
        by_length: bool,
    ) -> &Prepared {
        let number = &mut self.roles[at.number].actions[at.transition].conditions[k][usize::from(by_length)];
        if *number == NONE {
            *number = self.prepared.len() as PreparedId;
            let by = Dependency::Conditional;
            let ask = match self.method.is_some_and(|method| method.conditional) {
                true => Ask::Interferes { by, is_enabled: false },
                false => Ask::Fixed(Question::CanBeDependent, by),
            };
            let all = at.role.actions[at.transition].conditions[k].uses.iter();
            let matters = |used: &&Used| !by_length || matches!(objects.key(used.object), Key::Channel(_));
            let uses: Vec<&Used> = all.filter(matters).collect();
            // What only asks makes nothing true.
            self.prepared.push(Prepared::new(objects, uses.into_iter(), ask, true, Vec::new()));
        }
        &self.prepared[*number as usize]
    }

    /// Whether a role may come to an operation of the rows from a point on.
    pub fn is_ahead(
        &mut self,
        objects: &Objects,
        (number, role): (usize, &Role),
        point: LocationId,
        rows: RowsId,
    ) -> bool {
        self.roles[number].ahead[point].of(rows, || objects.rows.hit(rows, &role.ahead[point]))
    }

    /// Whether a step has an operation of the rows.
    pub fn is_met(&mut self, objects: &Objects, at: Place<'_>, rows: RowsId) -> bool {
        let own: &[Mask] = &at.role.actions[at.transition].own;
        self.roles[at.number].actions[at.transition].met.of(rows, || objects.rows.hit(rows, own))
    }
}
