//! The choices of one state, and what a persistent set with one of them must have besides.

use super::objects::{Key, Mask, Op, Question, Sight};
use super::role::{Action, Condition, Role, Used};
use super::{Algorithm, Independence, Label, MAX_CHOICES, Method, Node, Set, Snapshot, is_unclear};
use crate::footprint::Source;
use crate::model::Pid;
use crate::objects::Operation as On;
use crate::objects::channel::Operation as OnChannel;
use crate::objects::{Dependency, array, rendezvous::Half};
use std::sync::Arc;

#[derive(Clone, Default)]
pub(super) struct Situation {
    pub nodes: Vec<Node>,
    /// By process: its choices.
    pub of_process: Vec<Set>,
    pub roles: Vec<Arc<Role>>,
    /// By process: the key its role was last found under.
    keys: Vec<(Vec<i64>, usize)>,
    points: Vec<usize>,
    pub enabled: Set,
    /// Nobody else can move, and nothing is independent of anything.
    pub last_resort: bool,
    setting: (Vec<i64>, i64),
    rows: Vec<(u16, Mask)>,
}

impl Independence {
    /// Takes a state to hand: its choices, and which are enabled. `false` if there are too many for sets.
    pub fn situate(&mut self, snapshot: &impl Snapshot, enabled: impl Iterator<Item = Label>) -> bool {
        let mut here = std::mem::take(&mut self.here);
        let setting = self.setting(snapshot, &mut here);
        here.nodes.clear();
        here.of_process.clear();
        here.roles.clear();
        here.points.clear();
        let mut key = Vec::new();
        for pid in 0..snapshot.processes() {
            let (template, point) = snapshot.position(pid);
            self.key(snapshot, pid, setting, &mut key);
            if here.keys.len() <= pid {
                here.keys.push((Vec::new(), 0));
            }
            if here.keys[pid].0 != key {
                let number = self.role(snapshot, pid, setting, &key);
                here.keys[pid] = (key.clone(), number);
            }
            debug_assert!(template < self.system.templates.len());
            let role = Arc::clone(&self.roles[here.keys[pid].1]);
            let from = here.nodes.len();
            here.nodes.extend(role.points[point].iter().map(|t| Node { process: pid, transition: *t }));
            if here.nodes.len() > MAX_CHOICES {
                self.here = here;
                return false;
            }
            here.of_process.push(span(from, here.nodes.len()));
            here.roles.push(role);
            here.points.push(point);
        }
        here.enabled = 0;
        here.last_resort = false;
        for label in enabled {
            for node in std::iter::once(label.node()).chain(label.partner()) {
                match find(&here, node) {
                    Some(at) => {
                        here.enabled |= 1 << at;
                        let action = &here.roles[node.process].actions[node.transition];
                        here.last_resort |= action.asks_timeout;
                    }
                    // A fault before any transition.
                    None => here.last_resort = true,
                }
            }
        }
        self.here = here;
        true
    }

    fn key(&self, snapshot: &impl Snapshot, pid: Pid, setting: i64, key: &mut Vec<i64>) {
        let (template, _) = snapshot.position(pid);
        key.clear();
        key.push(template as i64);
        key.push(setting);
        key.push(if self.survey.reads_myself[template] { pid as i64 } else { -1 });
        key.extend(
            self.survey.constants[template].iter().map(|o| snapshot.local(pid, *o).unwrap_or(i64::MIN)),
        );
    }

    /// The number of what names of channels stand for; 0 as long as somebody may write one.
    fn setting(&mut self, snapshot: &impl Snapshot, here: &mut Situation) -> i64 {
        if self.survey.names.is_empty() {
            return 0;
        }
        let open = (0..snapshot.processes()).any(|pid| {
            let (template, point) = snapshot.position(pid);
            self.unsettled[template][point]
        });
        if open {
            return 0;
        }
        let mut values = Vec::new();
        for name in &self.survey.names {
            all_values(snapshot, &self.system.globals[*name].kind, *name, &mut values);
        }
        if here.setting.1 == 0 || here.setting.0 != values {
            let next = self.settings.len() as i64 + 1;
            let number = *self.settings.entry(values.clone()).or_insert(next);
            here.setting = (values, number);
        }
        here.setting.1
    }

    pub fn nodes(&self) -> &[Node] {
        &self.here.nodes
    }

    /// The choices that are enabled.
    pub fn enabled(&self) -> Set {
        self.here.enabled
    }

    /// Whether only waiting for a timeout is possible, or nothing is known: then everything enabled must be taken.
    pub fn is_last_resort(&self) -> bool {
        self.here.last_resort
    }

    pub fn index(&self, node: Node) -> Option<usize> {
        find(&self.here, node)
    }

    fn action(&self, node: usize) -> &Action {
        let Node { process, transition } = self.here.nodes[node];
        &self.here.roles[process].actions[transition]
    }

    /// The alternatives of what a persistent set that has the choice must have besides: one of the sets, whole. `None`
    /// if there is no such set but everything that is enabled.
    pub fn needs(
        &mut self,
        snapshot: &mut impl Snapshot,
        node: usize,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) -> Option<()> {
        alternatives.clear();
        let is_enabled = self.here.enabled >> node & 1 == 1;
        match method.algorithm {
            Algorithm::Conflict => alternatives.push(self.conflicts(snapshot, node, method)?),
            Algorithm::Overman => alternatives.push(self.whole_processes(snapshot, node, method)),
            Algorithm::Stubborn if is_enabled => alternatives.push(self.disturbers(snapshot, node, method)),
            Algorithm::Stubborn => self.enablers(snapshot, node, method, alternatives),
        }
        Some(())
    }

    /// Step 2 of Algorithm 1; `None` if a transition that is not enabled would be needed.
    fn conflicts(&mut self, snapshot: &impl Snapshot, node: usize, method: Method) -> Option<Set> {
        let process = self.here.nodes[node].process;
        let mut set = self.here.of_process[process];
        let rows = self.rows(snapshot, node, method, Question::CanBeDependent);
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            let role = Arc::clone(&self.here.roles[other]);
            if !self.reaches(&rows, node, &role.all) {
                continue;
            }
            for (t, action) in role.actions.iter().enumerate() {
                if self.reaches(&rows, node, &action.own) {
                    set |= 1 << find(&self.here, Node { process: other, transition: t })?;
                }
            }
            // Whoever may be started is nowhere yet.
            if self.reaches(&rows, node, &role.born) {
                return None;
            }
        }
        self.here.rows = rows;
        (set & !self.here.enabled == 0).then_some(set)
    }

    /// Step 2 of Algorithm 2: all choices of each process that may ever do something dependent.
    fn whole_processes(&mut self, snapshot: &impl Snapshot, node: usize, method: Method) -> Set {
        let process = self.here.nodes[node].process;
        let mut set = self.here.of_process[process];
        let rows = self.rows(snapshot, node, method, Question::CanBeDependent);
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            if self.reaches(&rows, node, &self.here.roles[other].all) {
                set |= self.here.of_process[other];
            }
        }
        self.here.rows = rows;
        set
    }

    /// Step 2.b of Algorithms 3 and 4: conflicts, and whoever may be the first to interfere.
    fn disturbers(&mut self, snapshot: &impl Snapshot, node: usize, method: Method) -> Set {
        let process = self.here.nodes[node].process;
        let rows = self.rows(snapshot, node, method, Question::DoNotAccord);
        let mut set = self.here.of_process[process] | self.leading(&rows, node, process);
        if !self.action(node).halves.is_empty() {
            set |= self.at_the_other_half(node);
        }
        self.here.rows = rows;
        set
    }

    /// The choices of other processes whose future has something related to the rows, or the other half of a handshake.
    fn leading(&self, rows: &[(u16, Mask)], node: usize, process: Pid) -> Set {
        let mut set = 0;
        for (other, role) in self.here.roles.iter().enumerate().filter(|(p, _)| *p != process) {
            if !self.reaches(rows, node, &role.ahead[self.here.points[other]]) {
                continue;
            }
            for at in members(self.here.of_process[other]) {
                if self.reaches(rows, node, &role.actions[self.here.nodes[at].transition].future) {
                    set |= 1 << at;
                }
            }
        }
        set
    }

    /// All choices of the processes that are at the other half of a handshake: they take part in it.
    fn at_the_other_half(&self, node: usize) -> Set {
        let own = self.action(node);
        let process = self.here.nodes[node].process;
        let partners = self.here.nodes.iter().enumerate().filter(|(k, other)| {
            other.process != process && self.action(*k).halves.iter().any(|h| meets(&own.halves, h))
        });
        partners.fold(0, |set, (_, other)| set | self.here.of_process[other.process])
    }

    fn reaches(&self, rows: &[(u16, Mask)], node: usize, masks: &[Mask]) -> bool {
        let hit = |(object, mask): &(u16, Mask)| masks.get(*object as usize).is_some_and(|m| m & mask != 0);
        rows.iter().any(hit)
            || self.action(node).halves.iter().any(|(object, half)| {
                let wanted = match half {
                    Half::Offer => Half::Accept,
                    Half::Accept => Half::Offer,
                };
                let bit = self.objects.bit(*object, &Op::On(On::Half(wanted)));
                masks.get(*object as usize).is_some_and(|m| m & bit != 0)
            })
    }

    /// By object that a choice uses: the operations of others that matter to it.
    fn rows(
        &mut self,
        snapshot: &impl Snapshot,
        node: usize,
        method: Method,
        unconditional: Question,
    ) -> Vec<(u16, Mask)> {
        let mut rows = std::mem::take(&mut self.here.rows);
        rows.clear();
        let Node { process, transition } = self.here.nodes[node];
        let role = Arc::clone(&self.here.roles[process]);
        let is_enabled = self.here.enabled >> node & 1 == 1;
        for used in &role.actions[transition].uses {
            let mask = if !method.conditional {
                self.objects.related(used.both(), unconditional, method.dependency, Sight::Nothing, None)
            } else {
                let possible = (used.certain && is_enabled).then_some(true);
                self.interfering(snapshot, used, method.dependency, possible, is_enabled)
            };
            if mask != 0 {
                rows.push((used.object, mask));
            }
        }
        rows
    }

    /// ▷s for one operation; where the state tells nothing, what includes it.
    fn interfering(
        &mut self,
        snapshot: &impl Snapshot,
        used: &Used,
        by: Dependency,
        possible: Option<bool>,
        is_enabled: bool,
    ) -> Mask {
        match (self.sight(snapshot, used), is_enabled) {
            (Sight::Nothing, true) => {
                self.objects.related(used.both(), Question::DoNotAccord, by, Sight::Nothing, None)
            }
            (Sight::Nothing, false) => {
                self.objects.related(used.both(), Question::CanBeDependent, by, Sight::Nothing, None)
            }
            (sight, _) => self.objects.related(used.both(), Question::Interferes, by, sight, possible),
        }
    }

    fn sight(&self, snapshot: &impl Snapshot, used: &Used) -> Sight {
        let Some(operation) = self.objects.operation(used.object, used.operation) else {
            return Sight::Nothing;
        };
        let value = |value: Option<i64>| value.map_or(Sight::Nothing, Sight::Value);
        match (self.objects.key(used.object), operation) {
            (Key::Channel(o), Op::On(On::Channel(_))) => Sight::Length(snapshot.length(o)),
            (Key::Variable(o), Op::On(On::Variable(_))) => value(snapshot.global(o, &[])),
            (Key::Variable(o), Op::On(On::Part(array::Part { path, .. }))) => {
                let path: Option<Vec<usize>> = path.iter().copied().collect();
                value(path.and_then(|path| snapshot.global(o, &path)))
            }
            _ => Sight::Nothing,
        }
    }

    /// Step 2.a of Algorithms 3 and 4 for a transition whose process is there: for each condition that is false, what may
    /// make it true. If none is known to be false, what may make any of those true of which nothing is known.
    fn enablers(
        &mut self,
        snapshot: &mut impl Snapshot,
        node: usize,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) {
        let Node { process, transition } = self.here.nodes[node];
        let role = Arc::clone(&self.here.roles[process]);
        let action = &role.actions[transition];
        if action.never || action.conditions.iter().any(|c| c.timeout && action.last_resort) {
            return alternatives.push(0);
        }
        let mut unclear: Set = 0;
        let mut any_unclear = false;
        for condition in &action.conditions {
            match self.truth(snapshot, node, condition) {
                Some(true) => {}
                Some(false) => self.make_true(snapshot, node, condition, method, alternatives),
                None => {
                    any_unclear = true;
                    let mut sets = Vec::new();
                    self.make_true(snapshot, node, condition, method, &mut sets);
                    unclear |= sets.first().copied().unwrap_or(0);
                }
            }
        }
        if alternatives.is_empty() {
            // Nothing is false that we know of: the process' own choices decide, or others'.
            alternatives.push(if any_unclear { unclear } else { span(0, self.here.nodes.len()) });
        }
    }

    /// Whether a condition holds in this state, if that can be told.
    fn truth(&self, snapshot: &mut impl Snapshot, node: usize, condition: &Condition) -> Option<bool> {
        let Node { process, transition } = self.here.nodes[node];
        if condition.youngest {
            return Some(process + 1 == self.here.roles.len());
        }
        if condition.timeout || is_unclear(condition.source) || condition.partner {
            return None;
        }
        if let Source::Guard(conjunct) = condition.source {
            return snapshot.holds(process, transition, conjunct);
        }
        let channel = condition.uses.iter().find_map(|u| {
            match (self.objects.key(u.object), self.objects.operation(u.object, u.operation)?) {
                (Key::Channel(o), Op::On(On::Channel(operation))) => Some((o, *operation)),
                _ => None,
            }
        });
        let (channel, operation) = channel?;
        let n = snapshot.length(channel);
        match operation {
            OnChannel::Send | OnChannel::SortedSend => {
                Some(n < super::survey::capacity(&self.system, channel))
            }
            OnChannel::Receive => Some(n > 0),
            OnChannel::MatchingReceive
            | OnChannel::RandomReceive
            | OnChannel::CopyingReceive
            | OnChannel::RandomCopy
                if n == 0 =>
            {
                Some(false)
            }
            _ => None,
        }
    }

    /// What may make a condition true: the alternatives, each whole.
    fn make_true(
        &mut self,
        snapshot: &impl Snapshot,
        node: usize,
        condition: &Condition,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) {
        let process = self.here.nodes[node].process;
        if condition.youngest {
            let births = self.objects.number(Key::Births);
            let stop = births.map_or(0, |b| self.objects.bit(b, &Op::Stop));
            let rows = [(births.unwrap_or(0), stop)];
            for younger in process + 1..self.here.roles.len() {
                let role = &self.here.roles[younger];
                let ends = |at: &usize| {
                    let future = &role.actions[self.here.nodes[*at].transition].future;
                    future.get(rows[0].0 as usize).is_some_and(|m| m & stop != 0)
                };
                let leading = members(self.here.of_process[younger]).filter(ends);
                alternatives.push(leading.fold(0, |set, at| set | 1 << at));
            }
            return;
        }
        let mut rows = std::mem::take(&mut self.here.rows);
        rows.clear();
        for used in &condition.uses {
            let mask = if method.conditional {
                self.interfering(snapshot, used, Dependency::Conditional, None, false)
            } else {
                let by = Dependency::Conditional;
                self.objects.related(used.both(), Question::CanBeDependent, by, Sight::Nothing, None)
            };
            rows.push((used.object, mask));
        }
        let mut set = 0;
        for (other, role) in self.here.roles.iter().enumerate().filter(|(p, _)| *p != process) {
            let hit = |masks: &[Mask]| {
                rows.iter().any(|(o, mask)| masks.get(*o as usize).is_some_and(|m| m & mask != 0))
            };
            if hit(&role.ahead[self.here.points[other]]) {
                let leads = |at: &usize| hit(&role.actions[self.here.nodes[*at].transition].future);
                set |= members(self.here.of_process[other]).filter(leads).fold(0, |set, at| set | 1 << at);
            }
        }
        // A handshake also waits for what its message and its patterns say.
        if condition.partner {
            let all = self.rows(snapshot, node, method, Question::CanBeDependent);
            set |= self.leading(&all, node, process) | self.at_the_other_half(node);
        }
        set |= if condition.private { self.here.of_process[process] } else { self.own_doing(node, &rows) };
        self.here.rows = rows;
        alternatives.push(set);
    }

    /// The choices of the same process that may make the condition true some time later.
    fn own_doing(&self, node: usize, rows: &[(u16, Mask)]) -> Set {
        let process = self.here.nodes[node].process;
        let role = &self.here.roles[process];
        let leads = |at: &usize| {
            let future = &role.actions[self.here.nodes[*at].transition].future;
            rows.iter().any(|(o, mask)| future.get(*o as usize).is_some_and(|m| m & mask != 0))
        };
        members(self.here.of_process[process]).filter(leads).fold(0, |set, at| set | 1 << at)
    }

    /// Definition 3.21 for two enabled steps of this state. What is known of the one may tell more than what is known of the
    /// other, so it is asked both ways.
    pub fn independent(&mut self, snapshot: &impl Snapshot, a: Label, b: Label, by: Dependency) -> bool {
        let shared = people(a).any(|x| people(b).any(|y| x.process == y.process));
        !shared
            && !self.here.last_resort
            && (self.leaves_alone(snapshot, a, b, by) || self.leaves_alone(snapshot, b, a, by))
    }

    /// Whether no operation of the one depends on any of the other.
    fn leaves_alone(&mut self, snapshot: &impl Snapshot, a: Label, b: Label, by: Dependency) -> bool {
        for x in people(a) {
            let role = Arc::clone(&self.here.roles[x.process]);
            for used in &role.actions[x.transition].uses {
                let sight = self.sight(snapshot, used);
                let possible = used.certain.then_some(true);
                let mask = self.objects.related(used.both(), Question::Dependent, by, sight, possible);
                let met = people(b).any(|y| {
                    let own = &self.here.roles[y.process].actions[y.transition].own;
                    own.get(used.object as usize).is_some_and(|m| m & mask != 0)
                });
                if met {
                    return false;
                }
            }
        }
        true
    }
}

/// Who takes part in a step.
fn people(label: Label) -> impl Iterator<Item = Node> {
    std::iter::once(label.node()).chain(label.partner())
}

impl Used {
    fn both(&self) -> (u16, u8) {
        (self.object, self.operation)
    }
}

fn meets(halves: &[(u16, Half)], (object, half): &(u16, Half)) -> bool {
    halves.iter().any(|(o, h)| o == object && h.meets(*half))
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

fn find(here: &Situation, node: Node) -> Option<usize> {
    let own = *here.of_process.get(node.process)?;
    members(own).find(|at| here.nodes[*at].transition == node.transition)
}

/// All scalars of a global, in order.
fn all_values(
    snapshot: &impl Snapshot,
    kind: &crate::model::ObjectKind,
    object: usize,
    values: &mut Vec<i64>,
) {
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
    if let crate::model::ObjectKind::Variable { sort, .. } = kind {
        walk(snapshot, sort, object, &mut Vec::new(), values);
    }
}
