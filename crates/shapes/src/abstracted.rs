//! The abstract state space: everything reachable from the initial structures, blurred, as a
//! stepper that `explore` searches.
//!
//! The words of a blurred structure are the bytes of a state. *Relational*: each structure is a
//! state of its own. *Partial join*: structures with the same names and the same nullary values are
//! one, their other values joined (`blur`). An edge is a step, or one through transient locations;
//! its note says who left and who entered which name (`names`). Invariants and errors are judged
//! before blur and are faults; they are certain if the value is definite.
//!
//! Once its memory is there, expanding states allocates nothing.

mod space;

pub use self::space::{BadState, Edge, Space, explore};
use crate::machine::{Machine, Successor};
use crate::names::{Few, Moves};
use crate::prepared::Prepared;
use ::space::{Edges, Fault, FaultAt, Label, Observer, Rest, Undefined, Which};
use explore::Limits;
use explore::recorded::Pace;
use structures::formula::Formula;
use structures::kleene::Kleene;
use structures::model::{Group, Model};
use structures::structure::Structure;
use structures::vocabulary::Layout;

/// Which structures are one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Join {
    /// Each structure is a state of its own.
    #[default]
    Relational,
    /// Structures with the same names and nullary values are one, their other values joined.
    Partial,
}

/// What to do and to look at.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Which structures are one state.
    pub join: Join,
    /// Closed formulas that must be 1 in every state; looked at before blur.
    pub invariants: Vec<Formula>,
    /// Edges are kept; only relational spaces have them.
    pub edges: bool,
    /// Infinite runs are asked about.
    pub infinite: Option<Infinite>,
    /// How many threads of the machine may work; 0 is 1.
    pub workers: usize,
    /// When the search ends early.
    pub limits: Limits,
}

/// What infinite runs depend on.
#[derive(Clone, Debug, Default)]
pub struct Infinite {
    /// Each group of actions, and whether one of it is enabled.
    groups: Vec<(Group, Formula)>,
    /// Whether each action is enabled.
    enabled: Vec<Formula>,
}

impl Infinite {
    /// What the fairness groups and actions of a model need.
    pub fn of(model: &Model) -> Infinite {
        Infinite {
            groups: model.fairness.iter().map(|g| (g.clone(), g.enabled(model))).collect(),
            enabled: model.actions.iter().map(|a| a.enabled()).collect(),
        }
    }
}

/// States are large and steps take long: few are expanded at a time, and limits are looked at after
/// each.
const PACE: Pace = Pace { batch: 128, worth_sharing: 24, look: 1 };

/// The steps of the abstract space, for one worker.
pub struct Stepper<'a> {
    prepared: &'a Prepared,
    wish: &'a Wish,
    /// Makes the steps of one structure.
    pub machine: Machine,
    state: Structure,
    blurred: Structure,
    settled: Structure,
    names: Few,
    /// Who moved in the steps from the state to where the stepper is.
    path: Moves,
    moves: Moves,
    /// The requirements that the first step meets.
    met: Vec<u64>,
}

/// The state in these bytes, written over another.
pub fn read(layout: Layout, bytes: &[u8], into: &mut Structure) {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    into.words.clear();
    into.words.extend(bytes.chunks_exact(8).map(word));
    into.nodes = (into.words.len() - layout.head()) / layout.record();
}

fn push(s: &Structure, label: Label, out: &mut Edges) {
    s.words.iter().for_each(|word| out.bytes.extend_from_slice(&word.to_le_bytes()));
    out.push(&[], label);
}

impl<'a> Stepper<'a> {
    /// Starts without a state; workers share `prepared`.
    pub fn new(prepared: &'a Prepared, wish: &'a Wish) -> Stepper<'a> {
        Stepper {
            prepared,
            wish,
            machine: prepared.machine.clone(),
            state: Structure::default(),
            blurred: Structure::default(),
            settled: Structure::default(),
            names: Few::default(),
            path: Moves::default(),
            moves: Moves::default(),
            met: Vec::new(),
        }
    }

    /// Which groups ask for a step here, and whether everything may rest.
    fn demands(&self, s: &Structure, out: &mut Edges) -> Rest {
        let Some(infinite) = &self.wish.infinite else { return Rest::MayRest };
        let must = |f: &Formula| self.machine.value(s, f).must();
        if out.wants_fairness {
            out.words = infinite.groups.len().div_ceil(64);
            out.asks.resize(out.words, 0);
            let asked = infinite.groups.iter().enumerate().filter(|(_, (_, enabled))| must(enabled));
            asked.for_each(|(n, _)| out.asks[n / 64] |= 1 << (n % 64));
        }
        if infinite.enabled.iter().any(must) { Rest::Enabled } else { Rest::MayRest }
    }

    /// Notes which groups a step is of.
    fn meet(&mut self, successor: &Successor, action: usize, words: usize) {
        let Some(infinite) = &self.wish.infinite else { return };
        let layout = self.machine.layout;
        let has = |p| successor.actor.is_some_and(|u| successor.before.get(layout, p, [u, 0]).may());
        let takes = |group: &Group| group.actions.contains(&action) && group.who.is_none_or(has);
        self.met.clear();
        self.met.resize(words, 0);
        let met = infinite.groups.iter().enumerate().filter(|(_, (group, _))| takes(group));
        met.for_each(|(n, _)| self.met[n / 64] |= 1 << (n % 64));
    }

    /// After a step: on through transient locations, to the state where it ends.
    fn follow(&mut self, successor: &Successor, last: usize, first: usize, out: &mut Edges) {
        out.tally[0] += 1;
        out.tally[1 + last / 64] |= 1 << (last % 64);
        self.inspect(
            &successor.after,
            |fault, certain| FaultAt {
                fault,
                place: last as u64,
                label: Label(first as u64),
                goes_on: true,
                certain,
            },
            &mut out.faults,
        );
        let error = Fault::Error(last as u32);
        if self.prepared.actions[last].error.is_some() && out.faults.iter().all(|f| f.fault != error) {
            let (place, label) = (last as u64, Label(first as u64));
            out.faults.push(FaultAt {
                fault: error,
                place,
                label,
                goes_on: true,
                certain: successor.definite,
            });
        }
        let before = (self.path.lose.len(), self.path.gain.len());
        if self.wish.edges {
            let Successor { before, after, removed, .. } = successor;
            self.names.moves(&self.machine.blur, [before, after], *removed, &mut self.path);
        }
        self.go_on(successor, last, first, out);
        self.path.lose.truncate(before.0);
        self.path.gain.truncate(before.1);
    }

    fn go_on(&mut self, successor: &Successor, last: usize, first: usize, out: &mut Edges) {
        let Prepared { actions, transient, .. } = self.prepared;
        let to = actions[last].to.filter(|place| transient.contains(place));
        let (Some(place), Some(actor)) = (to, successor.actor) else {
            return self.arrive(successor, first, out);
        };
        for (number, action) in actions.iter().enumerate().filter(|(_, a)| a.from == Some(place)) {
            self.machine.successors_of(&successor.after, actor, action);
            let found = self.machine.take_found();
            found.iter().for_each(|next| self.follow(next, number, first, out));
            self.machine.give_back(found);
        }
    }

    /// The end of a step, or of one through transient locations.
    fn arrive(&mut self, successor: &Successor, first: usize, out: &mut Edges) {
        let mut after = std::mem::take(&mut self.settled);
        after.copy_from(&successor.after);
        let (removed, stands) = self.machine.collect(&mut after);
        if stands {
            self.machine.blur.blur(&after, &mut self.blurred);
            push(&self.blurred, Label(first as u64), out);
            if out.wants_fairness {
                out.meets.extend_from_slice(&self.met);
            }
            if self.wish.edges {
                self.moves.copy_from(&self.path);
                if removed != 0 {
                    let blur = &self.machine.blur;
                    self.names.moves(blur, [&successor.after, &after], removed, &mut self.moves);
                }
                out.notes.push(u8::from(successor.definite));
                self.names.write(&mut self.moves, &mut out.notes);
                out.note_ends.push(out.notes.len());
            }
        }
        self.settled = after;
    }

    /// Looks at a state that is not yet blurred: the invariants that may not hold, each once.
    fn inspect(&self, s: &Structure, at: impl Fn(Fault, bool) -> FaultAt, faults: &mut Vec<FaultAt>) {
        for (n, f) in self.wish.invariants.iter().enumerate() {
            let fault = Fault::Invariant(n as u32);
            if faults.iter().any(|known| known.fault == fault) {
                continue;
            }
            let value = self.machine.value(s, f);
            if value != Kleene::True {
                faults.push(at(fault, value == Kleene::False));
            }
        }
    }
}

impl ::space::Stepper for Stepper<'_> {
    fn initial(&mut self, out: &mut Edges) {
        for (n, s) in self.prepared.initial.iter().enumerate() {
            self.machine.blur.blur(s, &mut self.blurred);
            push(&self.blurred, Label::default(), out);
            let at = |fault, certain| FaultAt {
                fault,
                place: n as u64,
                label: Label::default(),
                goes_on: true,
                certain,
            };
            self.inspect(s, at, &mut out.faults);
        }
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let mut s = std::mem::take(&mut self.state);
        read(self.machine.layout, state, &mut s);
        self.names.clear();
        out.tally.resize(1 + self.prepared.actions.len().div_ceil(64), 0);
        let rest = self.demands(&s, out);
        if self.machine.begin(&s) {
            for (number, action) in self.prepared.actions.iter().enumerate() {
                self.machine.successors(action);
                let found = self.machine.take_found();
                for successor in &found {
                    self.meet(successor, number, out.words);
                    self.follow(successor, number, number, out);
                }
                self.machine.give_back(found);
            }
        }
        self.state = s;
        rest
    }

    /// An action is no step of the reference until individuals are chosen for it.
    fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<::space::Step>> {
        None
    }

    fn describe(&self, fault: Fault) -> String {
        match fault {
            Fault::Error(n) => self.prepared.actions[n as usize].error.clone().unwrap_or_default(),
            _ => "an invariant may not hold".to_string(),
        }
    }
}

impl Observer for Stepper<'_> {
    fn observe(&mut self, state: &[u8]) -> Result<u64, Undefined> {
        let layout = self.machine.layout;
        read(layout, state, &mut self.state);
        let holds = |symbol| u64::from(self.state.get(layout, symbol, [0, 0]).must());
        let letters = self.prepared.letters.iter().enumerate();
        Ok(letters.fold(0, |all, (at, symbol)| all | holds(*symbol) << at))
    }
}
