//! Selective search: persistent sets, sleep sets and the proviso (thesis, Figures 4.1, 5.2 and
//! 6.2).
//!
//! A true depth-first search. All edges of a state are made at once, which tells what is enabled;
//! those of a persistent set that do not sleep become the edges of a frame, each with the sleep set
//! it will be visited with.
//!
//! * **Sleep sets** are kept with states and shrink (Figure 5.2, lines 11–13): a state that comes
//!   again with less asleep is expanded again by what has woken up.
//! * **The proviso** (Definition 6.2): a persistent set must have a step that does not sleep and
//!   does not lead to the stack, or leads to a state there that is *grounded*; other sets are tried
//!   before everything enabled is taken. A state is grounded as soon as everything enabled is
//!   explored from it, or a step of its set has led to a state that was grounded before; at the
//!   latest when it is backtracked. Lemma 6.10 then goes by induction on the time of that. A state
//!   on the stack that comes again with less asleep waits until it is backtracked (Figure 6.2,
//!   `delay`).
//! * A step that ends in a fatal fault leads nowhere, so it counts for the proviso like one that
//!   leads to the stack. Faults of steps that are not selected are reported all the same: they are
//!   there.
//! * **With a cache** (section 8.4) states that are not on the stack may be forgotten and visited
//!   again. Each time is another life of the state. The proofs of Theorem 5.2 and Lemma 6.10 speak
//!   of one life at a time: what sleeps at the end of a life slept all the time, and was given to
//!   it by a step into that life. So they hold. The search ends because a state on the stack is
//!   never forgotten: it is there again only with less asleep.
//!
//! * **With a lossy store** all states that are known and not on the stack have one
//!   number: they are
//!   visited, left and so grounded. Nothing may sleep then, so that no state is visited twice.
//!
//! * A search may **give up** looking for small sets (`patience.rs`). From then on everything that
//!   does not sleep is explored, which is a persistent set as well, and nothing is put to sleep.
//!   States that were visited before keep their sleep sets, and what wakes up in them is explored
//!   when they come again.
//!
//! Without the proviso a search with persistent sets decides about deadlocks only (Example 6.1);
//! sleep sets alone see every state (Theorem 5.4).

use super::choice::{Choice, Looked};
use super::components::Components;
use super::marks::Marks;
use super::patience::Effort;
use super::sleep::{Sleep, SleepId, still_asleep};
use super::stack::{Edge, Stack, To};
use crate::findings::Findings;
use crate::limits::{Listener, Progress, Stop};
use crate::report::Report;
use crate::search::Options;
use crate::store::cache::Cache;
use crate::store::keyed::Keyed;
use crate::store::lossy::{Bits, Hashes, Lossy};
use crate::store::{Inserted, Keep, StateId, StateStore};
use independence::selective::Selective;
use independence::{FullExpansion, Method};
use logic::random::Random;
use objects::Dependency;
use space::{Edges, Label, Rest};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What is left out of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// How persistent sets are computed, if they are used.
    pub persistent: Option<Method>,
    /// Whether sleep sets are used.
    pub sleep: bool,
    /// What keeps a process from being ignored.
    pub proviso: Proviso,
}

/// What keeps a search with persistent sets from ignoring a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proviso {
    /// Nothing: deadlocks are found all the same.
    Off,
    /// Definition 6.2.
    Stack,
    /// Definition 6.15; for persistent sets without sleep sets, and without a cache.
    Terminal,
}

impl Reduction {
    /// Nothing is left out.
    pub const NONE: Reduction = Reduction { persistent: None, sleep: false, proviso: Proviso::Off };

    /// The dependency relation of sleep sets.
    fn dependency(&self) -> Dependency {
        self.persistent.map_or(Dependency::Conditional, |method| method.dependency)
    }

    /// Whether states must be looked at for it.
    fn is_any(&self) -> bool {
        self.sleep || self.persistent.is_some()
    }
}

/// Explores a part of what is reachable, as much as the reduction asks for. The stepper must be
/// prepared.
pub fn selective_search(
    stepper: &mut impl Selective,
    options: &Options,
    reduction: Reduction,
    watch: &mut impl Listener,
) -> Report {
    let seed = options.shuffle.unwrap_or(0);
    match options.keep {
        Keep::All => search(Search::new(options, reduction, Keyed::default()), stepper, watch),
        Keep::AtMost(room) => search(Search::new(options, reduction, Cache::new(room)), stepper, watch),
        Keep::Hashes => {
            let store = Lossy::new(Hashes::default(), seed);
            search(Search::new(options, reduction, store), stepper, watch)
        }
        Keep::Bits(bytes) => {
            let store = Lossy::new(Bits::new(bytes), seed);
            search(Search::new(options, reduction, store), stepper, watch)
        }
    }
}

fn search<K: StateStore>(
    mut search: Search<'_, K>,
    stepper: &mut impl Selective,
    watch: &mut impl Listener,
) -> Report {
    let mut initial = Edges::default();
    stepper.initial(&mut initial);
    if let Some(fault) = initial.fatal() {
        return search.findings.no_initial_state(fault.fault);
    }
    if let Some(gone) = search.states.gone() {
        search.marks.begin(gone);
        search.marks.enter(gone);
        search.marks.visit(gone);
    }
    let flow = initial.iter().try_for_each(|state| search.run(stepper, state, watch));
    if let ControlFlow::Break(stop) = flow {
        search.findings.report.stopped = Some(stop);
    }
    search.finish()
}

struct Search<'a, K: StateStore> {
    options: &'a Options,
    reduction: Reduction,
    findings: Findings<'a>,
    states: K,
    marks: Marks,
    sleep: Sleep,
    stack: Stack<K::Target>,
    delayed: HashMap<StateId, Vec<SleepId>>,
    edges: Edges,
    targets: Vec<K::Target>,
    choice: Choice,
    effort: Effort,
    /// Draws the order of steps.
    random: Option<Random>,
    /// For [`Proviso::Terminal`].
    components: Components,
    /// What sleeps after the steps already taken from the state at hand, and what of it stays
    /// asleep after the next.
    taken: Vec<Label>,
    asleep: Vec<Label>,
    /// Steps of the state on top that lead to states which need no visit.
    met: u64,
    truncated: bool,
    /// Some state found no room.
    full: bool,
    next_look: u64,
}

/// How many states lie between two looks at the watch.
const LOOK_EVERY: u64 = 4096;

impl<'a, K: StateStore> Search<'a, K> {
    fn new(options: &'a Options, reduction: Reduction, states: K) -> Self {
        Search {
            options,
            reduction,
            findings: Findings::new(options),
            states,
            marks: Marks::default(),
            sleep: Sleep::default(),
            stack: Stack::default(),
            delayed: HashMap::new(),
            edges: Edges::default(),
            targets: Vec::new(),
            choice: Choice::default(),
            effort: Effort::new(options.patience),
            random: options.shuffle.map(Random::new),
            components: Components::default(),
            taken: Vec::new(),
            asleep: Vec::new(),
            met: 0,
            truncated: false,
            full: false,
            next_look: 0,
        }
    }

    fn run(
        &mut self,
        stepper: &mut impl Selective,
        initial: &[u8],
        watch: &mut impl Listener,
    ) -> ControlFlow<Stop> {
        self.findings.report.transitions += 1;
        let first = self.states.first(initial, stepper);
        self.arrive(stepper, first, 0)?;
        while !self.stack.is_empty() {
            self.findings.report.transitions += std::mem::take(&mut self.met);
            match self.stack.next() {
                Some(edge) => {
                    self.follow(stepper, edge)?;
                    self.look(watch)?;
                }
                None if self.reduction.proviso == Proviso::Terminal && self.take_up(stepper) => {}
                None => self.backtrack(stepper)?,
            }
        }
        if self.truncated { ControlFlow::Break(Stop::Depth) } else { ControlFlow::Continue(()) }
    }

    /// An edge is taken: lines 19–28 of Figure 6.2.
    fn follow(&mut self, stepper: &mut impl Selective, edge: Edge) -> ControlFlow<Stop> {
        self.findings.report.transitions += 1;
        let found = match self.stack.to(edge) {
            To::Stored(id) if self.marks.is_entered(id) => Inserted::Known(id),
            To::Stored(id) => Inserted::New(id),
            To::Bytes(state, target) => self.states.insert(state, target),
        };
        self.arrive(stepper, found, edge.asleep)
    }

    fn arrive(
        &mut self,
        stepper: &mut impl Selective,
        found: Inserted,
        asleep: SleepId,
    ) -> ControlFlow<Stop> {
        match found {
            Inserted::Full => ControlFlow::Break(Stop::Memory),
            Inserted::New(id) => {
                self.marks.begin(id);
                self.marks.enter(id);
                self.visit(stepper, id, asleep)
            }
            Inserted::Known(id) => {
                if self.marks.grounds(id) {
                    self.ground();
                }
                if self.needs_no_visit(id, asleep) {
                    self.pass(id);
                    return ControlFlow::Continue(());
                }
                if self.marks.is_on_stack(id) && self.reduction.proviso == Proviso::Stack {
                    self.delayed.entry(id).or_default().push(asleep);
                    return ControlFlow::Continue(());
                }
                self.visit(stepper, id, asleep)
            }
        }
    }

    /// Whether a state was visited with no more asleep.
    fn needs_no_visit(&self, id: StateId, asleep: SleepId) -> bool {
        self.marks.is_visited(id) && self.sleep.is_subset(self.marks.sleeping(id), asleep)
    }

    /// The state on top is done: lines 31–36. It is held until nothing is delayed for it.
    fn backtrack(&mut self, stepper: &mut impl Selective) -> ControlFlow<Stop> {
        let Some(id) = self.stack.pop() else { return ControlFlow::Continue(()) };
        if self.reduction.proviso == Proviso::Terminal {
            self.components.leave();
        }
        self.marks.pop(id);
        self.ground();
        while !self.marks.is_on_stack(id)
            && let Some(asleep) = self.take_delayed(id)
        {
            if !self.sleep.is_subset(self.marks.sleeping(id), asleep) {
                self.visit(stepper, id, asleep)?;
            }
        }
        self.states.release(id);
        ControlFlow::Continue(())
    }

    /// A step from the state on top leads to a grounded state.
    fn ground(&mut self) {
        if let Some(id) = self.stack.path().last() {
            self.marks.ground(*id);
        }
    }

    /// If the state on top is the root of a terminal component in which something that is enabled
    /// was never executed, takes another persistent set from it that has it (Definition 6.15).
    fn take_up(&mut self, stepper: &mut impl Selective) -> bool {
        let Some(method) = self.reduction.persistent else { return false };
        let Some(id) = self.stack.path().last().copied() else { return false };
        let Some(terminal) = self.components.terminal() else { return false };
        let mut edges = std::mem::take(&mut self.edges);
        self.states.expand(id, stepper, &mut edges, &mut self.targets);
        let ignored = edges.labels.iter().copied().find(|label| !terminal.all.contains(label));
        self.choice.look_up(&edges, &self.targets, &self.states, &self.marks);
        if let Some(label) = ignored {
            if stepper.load(self.states.open(id), &edges) {
                self.choice.around(stepper, (&edges, &terminal), method, label);
            } else {
                self.choice.select(&edges, |label| !terminal.is_own(label));
            }
            let selected = self.choice.selected.iter();
            self.components.execute(selected.map(|s| edges.labels[s.edge]));
            self.add_edges(stepper, &edges, 0, false);
        }
        self.edges = edges;
        ignored.is_some()
    }

    fn take_delayed(&mut self, id: StateId) -> Option<SleepId> {
        let waiting = self.delayed.get_mut(&id)?;
        let asleep = waiting.pop();
        if asleep.is_none() {
            self.delayed.remove(&id);
        }
        asleep
    }

    /// Visits a state: lines 8–17, and puts what must be explored from it on the stack.
    fn visit(&mut self, stepper: &mut impl Selective, id: StateId, asleep: SleepId) -> ControlFlow<Stop> {
        self.states.hold(id);
        let depth = self.stack.path().len() as u64;
        if self.options.limits.depth.is_some_and(|limit| depth >= limit) {
            self.truncated = true;
            self.states.release(id);
            return ControlFlow::Continue(());
        }
        self.findings.report.depth = self.findings.report.depth.max(depth);
        let mut edges = std::mem::take(&mut self.edges);
        let rest = self.states.expand(id, stepper, &mut edges, &mut self.targets);
        self.stack.push(id);
        self.marks.push(id);
        // A single step that nothing sleeps beside needs no look.
        let alone = edges.labels.len() == 1 && edges.faults.is_empty() && asleep == 0;
        let gave_up = self.effort.gave_up;
        let before = self.marks.sleeping(id);
        let looks = self.reduction.is_any() && !gave_up && !(alone && before == 0);
        let reducible = looks && stepper.load(self.states.open(id), &edges);
        let again = self.marks.is_visited(id);
        self.marks.visit(id);
        self.choice.look_up(&edges, &self.targets, &self.states, &self.marks);
        if again {
            let woken = self.sleep.difference(before, asleep);
            self.choice.select(&edges, |label| woken.binary_search(&label).is_ok());
            self.marks.set_sleeping(id, self.sleep.intersection(asleep, before));
        } else {
            self.findings.report.states += 1;
            self.marks.set_sleeping(id, asleep);
            let whole = self.choose(stepper, &edges, asleep, reducible);
            if whole {
                self.marks.ground(id);
            }
            if whole && self.reduction.is_any() && edges.labels.len() > 1 {
                let full_expansion =
                    if gave_up { Some(FullExpansion::Seldom) } else { stepper.full_expansion() };
                full_expansion.into_iter().for_each(|o| self.findings.report.full_expansions.count(o));
            }
        }
        if self.reduction.proviso == Proviso::Terminal {
            let executed = self.choice.selected.iter().map(|s| edges.labels[s.edge]);
            self.components.enter(id, executed);
        }
        self.add_edges(stepper, &edges, self.marks.sleeping(id), reducible);
        let found = if !again && (rest == Rest::Deadlock || !edges.faults.is_empty()) {
            let path = || self.stack.path().iter().map(|id| self.states.copy(*id)).collect::<Vec<_>>();
            self.findings.note(stepper, rest, &edges.faults, path)
        } else {
            ControlFlow::Continue(())
        };
        self.edges = edges;
        found
    }

    /// Chooses what is explored of a state visited for the first time; whether that is everything.
    fn choose(
        &mut self,
        stepper: &mut impl Selective,
        edges: &Edges,
        asleep: SleepId,
        reducible: bool,
    ) -> bool {
        let sleeping = self.sleep.get(asleep);
        if reducible {
            let whole = self.choice.choose(stepper, (edges, sleeping), self.reduction, &self.marks);
            self.effort.count(self.choice.awake(), self.choice.selected.len());
            whole
        } else {
            self.choice.select(edges, |label| sleeping.binary_search(&label).is_err());
            true
        }
    }

    /// Lines 18–20 and 29: each selected successor with what will sleep there.
    fn add_edges(&mut self, stepper: &mut impl Selective, edges: &Edges, base: SleepId, reducible: bool) {
        let sleeps = self.reduction.sleep && reducible;
        self.taken.clear();
        if sleeps {
            self.choice.order(self.reduction.persistent.is_none());
            self.taken.extend_from_slice(self.sleep.get(base));
        }
        if let Some(random) = &mut self.random {
            self.choice.shuffle(random);
        }
        let by = self.reduction.dependency();
        // The first edges may be done with at once, as long as none has to wait for its turn; all,
        // where their order does not matter any more.
        let mut at_once = true;
        for k in 0..self.choice.selected.len() {
            let looked = self.choice.selected[k];
            let label = edges.labels[looked.edge];
            let met = looked.known.filter(|_| at_once);
            let wide_awake = met.is_some_and(|id| self.needs_no_visit(id, 0));
            let asleep = if wide_awake { 0 } else { self.asleep_behind(stepper, label, by) };
            let done = met.is_some_and(|id| self.needs_no_visit(id, asleep));
            at_once &= done || self.effort.gave_up;
            match looked.known {
                Some(id) if done => self.meet(id),
                _ => self.add_edge(edges, looked, asleep),
            }
            if sleeps && self.taken.last() != Some(&label) {
                self.taken.push(label);
            }
        }
    }

    /// Puts an edge on the stack. Where states stay, the one it leads to is stored at once; it does
    /// not count as known before the search comes to it.
    fn add_edge(&mut self, edges: &Edges, looked: Looked, asleep: SleepId) {
        let target = self.targets[looked.edge];
        if !self.states.keeps_all() {
            return self.stack.add(edges.get(looked.edge), target, asleep);
        }
        let stored = looked.known.map_or_else(|| self.states.insert(&[], target), Inserted::Known);
        match stored {
            Inserted::New(id) => {
                self.marks.begin(id);
                self.stack.add_stored(id, asleep);
            }
            Inserted::Known(id) => self.stack.add_stored(id, asleep),
            Inserted::Full => self.full = true,
        }
    }

    /// What sleeps behind a step, of what was taken.
    fn asleep_behind(&mut self, stepper: &mut impl Selective, label: Label, by: Dependency) -> SleepId {
        self.asleep.clear();
        self.asleep.extend(still_asleep(&self.taken, |other| stepper.independent(label, *other, by)));
        self.sleep.number(&mut self.asleep)
    }

    /// A step of the state on top leads to one that needs no visit; it is counted when the state
    /// on top goes on.
    fn meet(&mut self, id: StateId) {
        self.met += 1;
        self.states.meet(id);
        if self.marks.grounds(id) {
            self.ground();
        }
        self.pass(id);
    }

    fn pass(&mut self, id: StateId) {
        if self.reduction.proviso == Proviso::Terminal {
            self.components.meet(id);
        }
    }

    fn memory_bytes(&self) -> u64 {
        let own = self.sleep.memory_bytes() + self.stack.memory_bytes() + self.components.memory_bytes();
        self.states.memory_bytes() + own + self.marks.memory_bytes()
    }

    /// Holds the search against its limits and shows it to the watcher, now and then.
    fn look(&mut self, watch: &mut impl Listener) -> ControlFlow<Stop> {
        let (states, transitions) = (self.findings.report.states, self.findings.report.transitions);
        let limits = &self.options.limits;
        if self.full {
            return ControlFlow::Break(Stop::Memory);
        }
        if limits.states.is_some_and(|limit| states > limit) {
            return ControlFlow::Break(Stop::States);
        }
        if states < self.next_look && !transitions.is_multiple_of(LOOK_EVERY) {
            return ControlFlow::Continue(());
        }
        self.next_look = states + LOOK_EVERY;
        let (depth, cache, memory_bytes) =
            (self.findings.report.depth, self.states.account(), self.memory_bytes());
        limits.show(&Progress { states, transitions, depth, memory_bytes, cache }, watch)
    }

    fn finish(self) -> Report {
        let (memory_bytes, cache, losses) =
            (self.memory_bytes(), self.states.account(), self.states.losses());
        Report { memory_bytes, cache, losses, ..self.findings.report }
    }
}
