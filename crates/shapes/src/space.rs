//! The abstract state space: everything reachable from the initial structures, blurred.
//!
//! *Relational*: a set of structures, each its own key. *Partial join*: structures with the same names and the same nullary
//! values are one, their other values joined; a state that changes is expanded again until nothing changes. Breadth-first, so that the
//! way to a state is a shortest one. Edges, with who left and who entered which name, exist only in relational spaces: joining a state after
//! its edges were made would make them say too much.

use crate::action::Action;
use crate::kleene::Kleene;
use crate::machine::{Notes, Successor};
use crate::model::Prepared;
use crate::names::{Moves, Names};
use crate::structure::Structure;
use crate::vocabulary::Symbol;
use explore::{Stop, Watch};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Join {
    #[default]
    Relational,
    Partial,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub action: usize,
    /// Which names surely lose an individual, and which may gain one.
    pub moves: Moves,
    /// Which of the distinguished predicates the individual that moves may have, as bits.
    pub who: u64,
    pub definite: bool,
}

/// A state that may break a promise, and how it is reached: a state and the action taken there, or an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    pub state: usize,
    pub action: Option<usize>,
    /// Surely broken in the abstract, before blur.
    pub definite: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Space {
    pub states: Vec<Structure>,
    pub initial: Vec<usize>,
    pub edges: Vec<Edge>,
    /// How each state was first found.
    pub parents: Vec<Option<(usize, usize)>>,
    pub names: Names,
    /// Of each formula watched over: the first state that may break it, and whether one surely does.
    pub breaches: Vec<Option<Breach>>,
    /// Actions that were taken.
    pub taken: Vec<bool>,
    /// Steps made, and how many structures were expanded.
    pub steps: u64,
    pub expanded: u64,
    pub depth: u64,
    pub notes: Notes,
    pub stopped: Option<Stop>,
}

/// What to do and to look at.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub join: Join,
    /// Closed formulas that must be 1 in every state; looked at before blur.
    pub invariants: Vec<crate::formula::Formula>,
    /// Unary predicates of which edges tell whether the individual that moves has them.
    pub who: Vec<Symbol>,
    pub edges: bool,
    pub max_states: Option<u64>,
    pub max_memory: Option<u64>,
}

/// The beginning of a step that goes on.
#[derive(Clone)]
struct Way {
    from: usize,
    first: usize,
    moves: Moves,
    who: u64,
}

struct Builder<'a> {
    wish: &'a Wish,
    space: Space,
    index: HashMap<u64, Vec<u32>>,
    queue: VecDeque<usize>,
    queued: Vec<bool>,
    depths: Vec<u64>,
    blurred: Structure,
    settled: Structure,
    edges: HashSet<Edge>,
    bytes: u64,
}

pub fn explore(prepared: &mut Prepared, wish: &Wish, watch: &mut dyn Watch) -> Space {
    let mut builder = Builder {
        wish,
        space: Space {
            names: Names::default(),
            breaches: vec![None; wish.invariants.len()],
            taken: vec![false; prepared.actions.len()],
            ..Space::default()
        },
        index: HashMap::new(),
        queue: VecDeque::new(),
        queued: Vec::new(),
        depths: Vec::new(),
        blurred: Structure::default(),
        settled: Structure::default(),
        edges: HashSet::new(),
        bytes: 0,
    };
    for s in prepared.initial.clone() {
        builder.inspect(prepared, &s, 0, None);
        let state = builder.insert(prepared, &s, None);
        if !builder.space.initial.contains(&state) {
            builder.space.initial.push(state);
        }
    }
    // An initial state that breaks an invariant is told by its own number.
    let initial = builder.space.initial.first().copied().unwrap_or(0);
    builder.space.breaches.iter_mut().flatten().for_each(|b| b.state = initial);
    builder.run(prepared, watch);
    let mut space = builder.space;
    space.edges = builder.edges.into_iter().collect();
    space.edges.sort_unstable();
    space.notes = prepared.machine.notes.clone();
    space
}

impl Builder<'_> {
    fn run(&mut self, prepared: &mut Prepared, watch: &mut dyn Watch) {
        let actions = std::mem::take(&mut prepared.actions);
        let mut current = Structure::default();
        while let Some(state) = self.queue.pop_front() {
            self.queued[state] = false;
            self.space.expanded += 1;
            current.copy_from(&self.space.states[state]);
            for number in 0..actions.len() {
                self.expand(prepared, &actions, &current, state, number);
            }
            if let Some(stop) = self.look(watch) {
                self.space.stopped = Some(stop);
                break;
            }
        }
        prepared.actions = actions;
    }

    fn expand(
        &mut self,
        prepared: &mut Prepared,
        actions: &[Action],
        s: &Structure,
        state: usize,
        number: usize,
    ) {
        prepared.machine.successors(s, &actions[number]);
        let found = prepared.machine.take_found();
        for successor in &found {
            let way = Way {
                from: state,
                first: number,
                moves: Moves::default(),
                who: self.who(prepared, successor),
            };
            self.follow(prepared, actions, successor, number, way);
        }
        prepared.machine.give_back(found);
    }

    /// After a step: on through passing places, to the state where it ends.
    fn follow(
        &mut self,
        prepared: &mut Prepared,
        actions: &[Action],
        successor: &Successor,
        last: usize,
        mut way: Way,
    ) {
        self.space.taken[last] = true;
        self.space.steps += 1;
        self.inspect(prepared, &successor.after, way.from, Some(last));
        if self.wish.edges {
            way.moves.add(self.space.names.moves(&prepared.machine.blur, successor));
        }
        let to = actions[last].to.filter(|place| prepared.passing.contains(place));
        let (Some(place), Some(actor)) = (to, successor.actor) else {
            return self.arrive(prepared, successor, way);
        };
        for (number, action) in actions.iter().enumerate().filter(|(_, a)| a.from == Some(place)) {
            prepared.machine.successors_of(&successor.after, actor, action);
            let found = prepared.machine.take_found();
            for next in &found {
                self.follow(prepared, actions, next, number, way.clone());
            }
            prepared.machine.give_back(found);
        }
    }

    /// The end of a step, or of one through passing places.
    fn arrive(&mut self, prepared: &mut Prepared, successor: &Successor, mut way: Way) {
        let mut after = std::mem::take(&mut self.settled);
        after.copy_from(&successor.after);
        let (removed, stands) = prepared.machine.collect(&mut after);
        if stands {
            let to = self.insert(prepared, &after, Some((way.from, way.first)));
            if self.wish.edges {
                if removed != 0 {
                    let before = successor.after.clone();
                    let swept = Successor { before, after: after.clone(), removed, ..Successor::default() };
                    way.moves.add(self.space.names.moves(&prepared.machine.blur, &swept));
                }
                let Way { from, first, moves, who } = way;
                self.edges.insert(Edge { from, to, action: first, moves, who, definite: successor.definite });
            }
        }
        self.settled = after;
    }

    /// Which of the distinguished predicates who moves may have.
    fn who(&self, prepared: &Prepared, successor: &Successor) -> u64 {
        let Some(actor) = successor.actor else { return 0 };
        let has = |symbol: &Symbol| successor.before.get(prepared.machine.layout, *symbol, [actor, 0]).may();
        self.wish.who.iter().enumerate().fold(0, |who, (bit, symbol)| who | u64::from(has(symbol)) << bit)
    }

    /// Looks at a state that is not yet blurred.
    fn inspect(&mut self, prepared: &Prepared, s: &Structure, state: usize, action: Option<usize>) {
        for (at, f) in self.wish.invariants.iter().enumerate() {
            let value = prepared.machine.value(s, f);
            if value != Kleene::True && self.space.breaches[at].is_none() {
                let breach = Breach { state, action, definite: value == Kleene::False };
                self.space.breaches[at] = Some(breach);
            }
        }
    }

    fn insert(&mut self, prepared: &Prepared, s: &Structure, parent: Option<(usize, usize)>) -> usize {
        let blur = &prepared.machine.blur;
        let mut blurred = std::mem::take(&mut self.blurred);
        blur.blur(s, &mut blurred);
        let key = match self.wish.join {
            Join::Relational => hash(blurred.words.iter().copied()),
            Join::Partial => {
                let nullary = blurred.words[..blur.layout.head()].iter().copied();
                hash(nullary.chain((0..blurred.nodes).flat_map(|u| blur.name(&blurred, u))))
            }
        };
        let bucket = self.index.entry(key).or_default();
        let states = &mut self.space.states;
        let known = bucket.iter().map(|n| *n as usize).find(|n| match self.wish.join {
            Join::Relational => states[*n] == blurred,
            Join::Partial => blur.same_universe(&states[*n], &blurred),
        });
        let state = match known {
            Some(state) => {
                if self.wish.join == Join::Partial && blur.join(&mut states[state], &blurred) {
                    if !self.queued[state] {
                        self.queue.push_back(state);
                    }
                    self.queued[state] = true;
                }
                state
            }
            None => {
                let state = states.len();
                bucket.push(state as u32);
                self.bytes += 8 * blurred.words.len() as u64 + 64;
                states.push(blurred.clone());
                self.space.parents.push(parent);
                let depth = parent.map_or(0, |(p, _)| self.depths[p] + 1);
                self.space.depth = self.space.depth.max(depth);
                self.depths.push(depth);
                self.queue.push_back(state);
                self.queued.push(true);
                state
            }
        };
        self.blurred = blurred;
        state
    }

    fn look(&self, watch: &mut dyn Watch) -> Option<Stop> {
        let states = self.space.states.len() as u64;
        if self.wish.max_states.is_some_and(|max| states > max) {
            return Some(Stop::States);
        }
        if self.wish.max_memory.is_some_and(|max| self.bytes > max) {
            return Some(Stop::Memory);
        }
        let progress = explore::Progress {
            states,
            transitions: self.space.steps,
            depth: self.space.depth,
            memory_bytes: self.bytes,
        };
        match watch.look(&progress) {
            ControlFlow::Break(stop) => Some(stop),
            ControlFlow::Continue(()) => None,
        }
    }
}

/// After Fx: multiply and rotate, a word at a time.
pub fn hash(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, |hash: u64, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95))
}

impl Space {
    /// Whether everything reachable was seen, by structures that all fitted.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && !self.notes.overflow
    }

    /// The actions that lead to a state, and the states on the way, the state itself last.
    pub fn way(&self, state: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut actions, mut states) = (Vec::new(), vec![state]);
        let mut at = state;
        while let Some((parent, action)) = self.parents[at] {
            actions.push(action);
            states.push(parent);
            at = parent;
        }
        actions.reverse();
        states.reverse();
        (actions, states)
    }

    pub fn bytes(&self) -> u64 {
        self.states.iter().map(|s| 8 * s.words.len() as u64 + 64).sum()
    }

    /// Distinct (from, to, action).
    pub fn arrows(&self) -> usize {
        let arrows: HashSet<_> = self.edges.iter().map(|e| (e.from, e.to, e.action)).collect();
        arrows.len()
    }
}
