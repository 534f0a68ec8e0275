//! The stateless search run on models: an oracle for both sides.
//!
//! [`World`] is what the search of programs asks for; here it is the reference stepper of a system.
//! What a step touches comes from the static footprints of its transitions, made coarse: whole
//! objects, read or changed; and whatever they cannot tell (timeouts, handshakes, atomic sequences,
//! processes that come) touches everything. On models whose runs all end, each reduction must come
//! to the states without moves, and to the failing assertions, that the stateful search finds; and
//! without a reduction there is a run for each path of the graph of states.

use crate::subjects::{Subject, corpus, generated, judge_all};
use explore::stateless::{Bounds, Ending, Limits, Progress, Reduction, Semantics, Trouble, World, search};
use independence::footprint::{Footprint as Uses, Special, Target, Use, footprints};
use objects::{Access, Class, Footprint, Key, Object, ObjectAccess, Outcome, Tid};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use system::{Fault, LocationId, Move, ProcessTypeId, Reference, State, System, TransitionId};

/// States of a model at most, and runs of one search.
const STATES: usize = 1_000;
const RUNS: u64 = 500;

/// Where a process is.
type At = (ProcessTypeId, LocationId);
/// A failing assertion.
type Place = (ProcessTypeId, Option<TransitionId>);

struct Model {
    system: System,
    uses: Vec<Vec<Uses>>,
}

/// A state, as the objects that operations are on.
#[derive(Clone)]
struct Now {
    model: Arc<Model>,
    state: State,
}

/// All that can be touched.
const EVERYTHING: Key = Key { class: Class::Process, space: 0, at: 0 };

fn process(pid: Tid) -> Key {
    Key::new(Class::Thread, 0, pid as u64)
}

/// The life of a process: it ends behind all younger ones.
fn life(pid: Tid) -> Key {
    Key::new(Class::Children, 0, pid as u64)
}

/// A move, by the transitions in it.
fn number(taken: &Move) -> Outcome {
    let partner = taken.step.partner.iter().flat_map(|(pid, path)| [&[*pid][..], path].concat());
    let all = taken.step.path.iter().copied().chain(partner);
    let hash = all.fold(17_u64, |h, n| (h ^ n as u64).wrapping_mul(0x100_0000_01b3));
    (hash >> 2) as Outcome
}

impl Now {
    fn at(&self, who: Tid) -> Option<At> {
        self.state.processes.get(who).map(|p| (p.process_type, p.point))
    }

    fn moves(&self, who: Tid) -> Vec<Move> {
        let all = Reference::new(&self.model.system).moves(&self.state);
        all.into_iter().filter(|m| m.step.actor == who).collect()
    }

    fn taken(&self, who: Tid, outcome: Outcome) -> Option<Move> {
        self.moves(who).into_iter().find(|m| number(m) == outcome)
    }

    /// Whether it lies inside an atomic sequence or a d_step.
    fn is_special(&self, (process_type, _): At, transition: TransitionId) -> bool {
        let Some(scheduling) = &self.model.system.scheduling else { return false };
        let rules = &scheduling.process_types[process_type];
        let post = self.model.system.process_types[process_type].transitions[transition].post;
        rules.keeps.get(transition).is_some_and(|k| *k)
            || rules.points.get(post).is_some_and(|point| point.deterministic)
    }
}

impl Object for Now {
    type Op = At;
    type Effect = ();

    fn outcomes(&self, who: Tid, op: &At) -> Vec<Outcome> {
        if self.at(who) != Some(*op) { Vec::new() } else { self.moves(who).iter().map(number).collect() }
    }

    fn touches(&self, who: Tid, op: &At, outcome: Outcome) -> Footprint {
        let process_type = &self.model.system.process_types[op.0];
        let uses = &self.model.uses[op.0];
        let here = (0..process_type.transitions.len()).filter(|t| process_type.transitions[*t].pre == op.1);
        let taken = self.taken(who, outcome).filter(|_| self.at(who) == Some(*op));
        let path = taken.as_ref().map_or(&[][..], |m| &m.step.path);
        let mut touches = Touches { who, everything: self.state.control.is_some(), list: Vec::new() };
        touches.everything |= path.len() > 1 || taken.as_ref().is_some_and(|m| m.step.partner.is_some());
        // Whether others may move instead depends on what all of them ask.
        for transition in here {
            touches.everything |= self.is_special(*op, transition);
            uses[transition].conditions.iter().for_each(|c| touches.enter(&c.operations, &c.specials));
        }
        for transition in path {
            let command = &uses[*transition].command;
            touches.enter(&command.operations, &command.specials);
        }
        touches.finish()
    }

    fn perform(&mut self, who: Tid, op: &At, outcome: Outcome) {
        if self.at(who) == Some(*op)
            && let Some(next) = self.taken(who, outcome).and_then(|m| m.next)
        {
            self.state = next;
        }
    }
}

impl Semantics for Now {}

struct Touches {
    who: Tid,
    everything: bool,
    list: Footprint,
}

impl Touches {
    fn enter(&mut self, operations: &[Use], specials: &BTreeSet<Special>) {
        for used in operations {
            let access = if used.changes() { Access::Change } else { Access::Read };
            match used.target {
                Target::Global(object) => {
                    self.list.push(Key::new(Class::Memory, 0, object as u64).touch(access));
                }
                Target::Local(_) => {}
                Target::Remote { .. } | Target::AnyChannel => self.everything = true,
            }
        }
        for special in specials {
            match special {
                Special::Stop => self.list.push(life(self.who).touch(Access::Change)),
                Special::Youngest => {
                    let key = life(self.who + 1);
                    self.list.push(ObjectAccess { key, length: 256, access: Access::Read });
                }
                _ => self.everything = true,
            }
        }
    }

    fn finish(mut self) -> Footprint {
        let access = if self.everything { Access::Change } else { Access::Read };
        self.list.extend([EVERYTHING.touch(access), process(self.who).touch(Access::Change)]);
        self.list
    }
}

/// A model that is executed again and again; what its runs have shown.
struct Executed {
    now: Now,
    initial: State,
    /// Processes that have ended in this run.
    ended: BTreeSet<Tid>,
    found: Found,
    /// A number was given to another process: to the search it is the same one.
    reused: bool,
}

#[derive(Clone, Default, PartialEq, Eq)]
struct Found {
    /// States without moves.
    last: HashSet<State>,
    assertions: BTreeSet<Place>,
}

impl Found {
    /// Enters what a move shows.
    fn note(&mut self, before: &State, taken: &Move) {
        if taken.fault == Some(Fault::Assertion) {
            let (pid, path) =
                taken.step.partner.clone().unwrap_or((taken.step.actor, taken.step.path.clone()));
            self.assertions.insert((before.processes[pid].process_type, path.last().copied()));
        }
    }
}

/// Who moved last is no part of what is compared.
fn canonical(state: &State) -> State {
    State { last: 0, ..state.clone() }
}

impl World for Executed {
    type Semantics = Now;
    type Discovered = ();
    type Known = ();

    fn discovered(&self) {}

    fn inform(&mut self, (): &()) {}

    fn restart(&mut self) -> Result<Progress, Trouble> {
        self.now.state = self.initial.clone();
        self.ended.clear();
        self.enter_end();
        Ok(Progress::default())
    }

    fn step(&mut self, who: Tid, outcome: Outcome) -> Result<Progress, Trouble> {
        let Some(taken) = self.now.taken(who, outcome) else { return Err(Trouble::Unforeseen) };
        self.found.note(&self.now.state, &taken);
        let Some(next) = taken.next else { return Err(Trouble::Broken("a fault".to_string())) };
        let (before, after) = (self.now.state.processes.len(), next.processes.len());
        self.ended.extend(after..before);
        self.reused |= (before..after).any(|born| self.ended.contains(&born));
        self.now.state = next;
        self.enter_end();
        Ok(Progress { edges: (before..after).map(|born| (who, born)).collect(), failure: None })
    }

    fn semantics(&self) -> &Now {
        &self.now
    }

    fn pending(&self) -> Vec<(Tid, At)> {
        (0..self.now.state.processes.len()).filter_map(|who| Some((who, self.now.at(who)?))).collect()
    }

    fn same(a: &At, b: &At) -> bool {
        a == b
    }

    fn ending(&self) -> Ending {
        match self.now.state.is_valid_end(&self.now.model.system) {
            true => Ending::Terminated,
            false => Ending::Deadlock(String::new()),
        }
    }
}

impl Executed {
    fn enter_end(&mut self) {
        if Reference::new(&self.now.model.system).moves(&self.now.state).is_empty() {
            self.found.last.insert(canonical(&self.now.state));
        }
    }
}

/// The graph of states: what is found in it, and how many paths there are from the initial state to
/// an end; nothing if a run need not end, or a fault ends it.
struct Graph<'a> {
    reference: Reference<'a>,
    found: Found,
    /// By state: the paths from there; none while it is being looked at.
    paths: HashMap<State, Option<u64>>,
}

impl Graph<'_> {
    fn paths(&mut self, state: &State) -> Option<u64> {
        let key = canonical(state);
        if let Some(known) = self.paths.get(&key) {
            return *known;
        }
        if self.paths.len() >= STATES {
            return None;
        }
        self.paths.insert(key.clone(), None);
        let moves = self.reference.moves(state);
        let mut paths = u64::from(moves.is_empty());
        if moves.is_empty() {
            self.found.last.insert(key.clone());
        }
        for taken in &moves {
            self.found.note(state, taken);
            paths = paths.saturating_add(self.paths(taken.next.as_ref()?)?);
        }
        self.paths.insert(key, Some(paths));
        Some(paths)
    }
}

/// What is wrong with the stateless searches of a model; nothing if they cannot be compared.
fn complaints(subject: &Subject) -> Option<Vec<String>> {
    let system = &subject.system;
    let sees_all = ["_last", "enabled", "pc_value", "np_"].iter().any(|word| subject.text.contains(word));
    if sees_all || system.scheduling.as_ref().is_some_and(|d| d.priorities) {
        return None;
    }
    let reference = Reference::new(system);
    let initial = reference.initial().ok()?;
    let mut graph = Graph { reference, found: Found::default(), paths: HashMap::new() };
    let paths = graph.paths(&initial)?;
    let model = Arc::new(Model { system: system.clone(), uses: footprints(system) });
    let mut complaints = Vec::new();
    let mut compared = false;
    for reduction in [Reduction::Dpor, Reduction::Sleep, Reduction::None] {
        if reduction != Reduction::Dpor && paths > RUNS {
            continue;
        }
        let now = Now { model: model.clone(), state: initial.clone() };
        let (ended, found) = (BTreeSet::new(), Found::default());
        let mut world = Executed { now, initial: initial.clone(), ended, found, reused: false };
        let limits = Limits { runs: Some(RUNS + 1), ..Limits::default() };
        let bounds = Bounds { limits, keep_going: true, ..Bounds::default() };
        let searched = search(&mut world, None, reduction, bounds, &mut |_| true);
        let report = searched.report;
        // It says so if too many operations block one another.
        let kept = report.bounded.as_ref().is_some_and(|why| why.starts_with("more than 8 operations block"));
        if world.reused || kept || report.runs() + report.blocked > RUNS {
            continue;
        }
        compared = true;
        if let Some(trouble) = searched.trouble {
            complaints.push(format!("{reduction:?}: {trouble}"));
        } else if !report.exhausted {
            complaints.push(format!("{reduction:?}: {:?}", report.bounded));
        }
        if world.found != graph.found {
            let (mine, all) = (&world.found, &graph.found);
            complaints.push(format!(
                "{reduction:?}: {} of {} ends, assertions {:?} of {:?}, {} runs of {paths}",
                mine.last.len(),
                all.last.len(),
                mine.assertions,
                all.assertions,
                report.runs()
            ));
        }
        if reduction == Reduction::None && report.runs() != paths || report.runs() > paths {
            complaints.push(format!("{reduction:?}: {} runs of {paths}", report.runs()));
        }
    }
    compared.then_some(complaints)
}

#[test]
fn the_corpus_ends_as_in_the_stateful_search() {
    let (judged, complaints) = judge_all(&corpus(), complaints);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 90, "{judged} models");
}

#[test]
fn generated_programs_end_as_in_the_stateful_search() {
    let mut judged = 0;
    for features in ["-goto", "-goto,-atomic,-d_step,-rendezvous,-timeout,-unless", "-goto,-run"] {
        let (count, complaints) = judge_all(&generated(70_000..70_060, features), complaints);
        assert!(complaints.is_empty(), "{features}: {}", complaints.join("\n"));
        judged += count;
    }
    assert!(judged >= 80, "{judged} programs");
}
