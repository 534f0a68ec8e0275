//! The state that questions are about: its choices, and the transitions that may join them.

use super::asks::Place;
use super::outlook::OutlookId;
use super::role::{Action, Role};
use super::rows::RowsId;
use super::{FullExpansion, Independence, MAX_CHOICES, Node, Set, Snapshot, node, partner};
use space::Label;
use std::sync::Arc;
use system::Pid;

/// The loaded state. The buffers are used again from state to state.
#[derive(Clone, Default)]
pub(super) struct Loaded {
    /// The choices, then the gates met so far.
    pub nodes: Vec<Node>,
    /// How many choices there are.
    pub choices: usize,
    /// By process: its choices.
    pub of_process: Vec<Set>,
    /// By process: its role.
    pub roles: Vec<usize>,
    pub points: Vec<usize>,
    pub enabled: Set,
    /// Nothing else can move, and nothing is independent of anything.
    pub last_resort: bool,
    /// By process: the key its role was last found under.
    keys: Vec<(Vec<i64>, usize)>,
    key: Vec<i64>,
    setting: (Vec<i64>, i64),
    values: Vec<i64>,
    /// Operations that matter to the question at hand.
    pub rows: Vec<RowsId>,
    /// By process: what it may do from where it is, once that is known.
    pub outlooks: Vec<Option<OutlookId>>,
}

impl Independence {
    /// Loads a state: its choices, and which are enabled. `false` if there are too many for
    /// sets.
    pub fn load(&mut self, snapshot: &impl Snapshot, enabled: impl Iterator<Item = Label>) -> bool {
        let mut here = std::mem::take(&mut self.here);
        let setting = self.setting(snapshot, &mut here);
        here.nodes.clear();
        here.of_process.clear();
        here.roles.clear();
        here.points.clear();
        let mut key = std::mem::take(&mut here.key);
        for pid in 0..snapshot.processes() {
            let (process_type, point) = snapshot.position(pid);
            self.key(snapshot, pid, setting, &mut key);
            if here.keys.len() <= pid {
                here.keys.push((Vec::new(), 0));
            }
            if here.keys[pid].0 != key {
                let number = self.role(snapshot, pid, setting, &key);
                here.keys[pid].0.clone_from(&key);
                here.keys[pid].1 = number;
            }
            debug_assert!(process_type < self.system.process_types.len());
            let role = here.keys[pid].1;
            let from = here.nodes.len();
            here.nodes
                .extend(self.roles[role].points[point].iter().map(|t| Node { process: pid, transition: *t }));
            if here.nodes.len() > MAX_CHOICES {
                self.here = here;
                return false;
            }
            here.of_process.push(span(from, here.nodes.len()));
            here.roles.push(role);
            here.points.push(point);
        }
        here.key = key;
        here.choices = here.nodes.len();
        here.outlooks.clear();
        here.outlooks.resize(here.roles.len(), None);
        here.enabled = 0;
        here.last_resort = false;
        for label in enabled {
            for node in std::iter::once(node(label)).chain(partner(label)) {
                match find(&here, node) {
                    Some(at) => {
                        here.enabled |= 1 << at;
                        let action = &self.roles[here.roles[node.process]].actions[node.transition];
                        here.last_resort |= action.asks_timeout;
                    }
                    // A fault before any transition.
                    None => here.last_resort = true,
                }
            }
        }
        self.here = here;
        self.tables.admit(&self.roles, &self.objects);
        self.outlooks.clean();
        true
    }

    fn key(&self, snapshot: &impl Snapshot, pid: Pid, setting: i64, key: &mut Vec<i64>) {
        let (process_type, _) = snapshot.position(pid);
        key.clear();
        key.push(process_type as i64);
        key.push(setting);
        key.push(if self.survey.reads_myself[process_type] { pid as i64 } else { -1 });
        key.extend(
            self.survey.constants[process_type].iter().map(|o| snapshot.local(pid, *o).unwrap_or(i64::MIN)),
        );
    }

    /// The number of what names of channels stand for; 0 as long as a process may write one.
    fn setting(&mut self, snapshot: &impl Snapshot, here: &mut Loaded) -> i64 {
        if self.survey.names.is_empty() {
            return 0;
        }
        let open = (0..snapshot.processes()).any(|pid| {
            let (process_type, point) = snapshot.position(pid);
            self.unsettled[process_type][point]
        });
        if open {
            return 0;
        }
        let mut values = std::mem::take(&mut here.values);
        values.clear();
        for name in &self.survey.names {
            all_values(snapshot, &self.system.globals[*name].kind, *name, &mut values);
        }
        if here.setting.1 == 0 || here.setting.0 != values {
            let next = self.settings.len() as i64 + 1;
            let number = *self.settings.entry(values.clone()).or_insert(next);
            here.setting = (values.clone(), number);
        }
        here.values = values;
        here.setting.1
    }

    /// The choices and the gates met so far.
    pub fn nodes(&self) -> &[Node] {
        &self.here.nodes
    }

    /// The nodes that are gates: transitions elsewhere whose guards are false now. There may be
    /// more after questions about needs.
    pub fn gates(&self) -> Set {
        span(self.here.choices, self.here.nodes.len())
    }

    /// The choices that are enabled.
    pub fn enabled(&self) -> Set {
        self.here.enabled
    }

    /// Whether only waiting for a timeout is possible, or nothing is known: then everything enabled
    /// must be taken.
    pub fn is_last_resort(&self) -> bool {
        self.here.last_resort
    }

    /// Why nothing can be left out in the state, if so.
    pub fn full_expansion(&self) -> Option<FullExpansion> {
        if self.here.nodes.len() > MAX_CHOICES {
            return Some(FullExpansion::Choices);
        }
        if self.here.last_resort {
            return Some(FullExpansion::Timeout);
        }
        members(self.here.enabled).any(|at| self.action(at).wild).then_some(FullExpansion::Handover)
    }

    /// The number of a choice among the nodes of the loaded state.
    pub fn index(&self, node: Node) -> Option<usize> {
        find(&self.here, node)
    }

    pub(super) fn action(&self, node: usize) -> &Action {
        let Node { process, transition } = self.here.nodes[node];
        &self.role_of(process).actions[transition]
    }

    /// The role of a process.
    pub(super) fn role_of(&self, process: Pid) -> &Role {
        &self.roles[self.here.roles[process]]
    }
}

/// The bits from `from` to before `to`.
pub(super) fn span(from: usize, to: usize) -> Set {
    let below = |n: usize| if n >= 128 { Set::MAX } else { (1 << n) - 1 };
    below(to) & !below(from)
}

/// The numbers in a set.
pub fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(next)
    })
}

/// The role and the transition of a node.
pub(super) fn place<'a>(roles: &'a [Arc<Role>], here: &Loaded, node: Node) -> Place<'a> {
    let number = here.roles[node.process];
    Place { number, role: &roles[number], transition: node.transition }
}

pub(super) fn find(here: &Loaded, node: Node) -> Option<usize> {
    let own = *here.of_process.get(node.process)?;
    members(own).find(|at| here.nodes[*at].transition == node.transition)
}

/// All scalars of a global, in order.
fn all_values(snapshot: &impl Snapshot, kind: &system::ObjectKind, object: usize, values: &mut Vec<i64>) {
    fn walk(
        snapshot: &impl Snapshot,
        sort: &logic::Sort,
        o: usize,
        path: &mut Vec<usize>,
        to: &mut Vec<i64>,
    ) {
        let parts: Vec<&logic::Sort> = match sort {
            logic::Sort::Array(element, length) => vec![element; *length],
            logic::Sort::Record(fields) => fields.iter().map(|(_, s)| s).collect(),
            _ => return to.push(snapshot.global(o, path).unwrap_or(i64::MIN)),
        };
        for (k, part) in parts.into_iter().enumerate() {
            path.push(k);
            walk(snapshot, part, o, path, to);
            path.pop();
        }
    }
    if let system::ObjectKind::Variable { sort, .. } = kind {
        walk(snapshot, sort, object, &mut Vec::new(), values);
    }
}
