//! Every interleaving of a program, breadth-first: what goes wrong, which outcomes there are, and a
//! shortest run to each.
//!
//! A thread is blocked if it has not ended and moves in no continuation, whatever the others do.

use super::ast::{Cls, Program, Type};
use super::code::Value;
use super::compile::compile;
use super::machine::Machine;
use super::state::{Event, Init, State, Status};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// A kind of thing that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrong {
    Uncaught,
    Assertion,
    Range,
    /// Null, monitors or threads misused, caught or not.
    Misuse,
    /// No thread can move, and some have not ended.
    Deadlock,
    /// Some thread never moves again.
    Blocked,
    Race,
}

/// One step of a run: who, through which gate, at which statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    pub thread: u8,
    pub gate: Option<u32>,
    pub statement: u32,
}

/// What is true of a program.
#[derive(Debug, Clone, Default)]
pub struct Truth {
    /// What goes wrong, and the states where it does, the nearest first.
    pub wrong: BTreeMap<Wrong, Vec<usize>>,
    /// The same, in runs in which no error came before.
    pub clean: BTreeSet<Wrong>,
    pub races: BTreeSet<String>,
    /// Exceptions that nothing catches.
    pub uncaught: BTreeSet<&'static str>,
    pub outcomes: BTreeSet<String>,
    pub states: usize,
    /// Too many states, objects, threads or calls: nothing is known.
    pub too_big: bool,
    /// What can be done in each state.
    pub edges: Vec<Vec<(Move, usize)>>,
    parents: Vec<Option<(usize, Move)>>,
}

/// The graph of all states.
struct Graph<'a> {
    machine: Machine<'a>,
    numbers: HashMap<State, usize>,
    states: Vec<State>,
    truth: Truth,
}

/// Searches all runs, with declared ranges checked or not; gives up beyond `most` states.
pub fn explore(program: &Program, ranged: bool, most: usize) -> Truth {
    let machine = Machine::new(compile(program, ranged));
    let mut graph = Graph { machine, numbers: HashMap::new(), states: Vec::new(), truth: Truth::default() };
    let (initial, events) = graph.machine.initial();
    let first = graph.add(initial, None);
    graph.note(&events, first, false);
    let mut queue = VecDeque::from([first]);
    while let Some(at) = queue.pop_front() {
        if graph.states.len() > most || graph.truth.too_big {
            graph.truth.too_big = true;
            return graph.truth;
        }
        graph.expand(at, &mut queue);
    }
    graph.blocked();
    graph.truth.states = graph.states.len();
    graph.truth
}

impl Graph<'_> {
    fn add(&mut self, state: State, from: Option<(usize, Move)>) -> usize {
        let number = self.states.len();
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        self.truth.edges.push(Vec::new());
        self.truth.parents.push(from);
        number
    }

    fn expand(&mut self, at: usize, queue: &mut VecDeque<usize>) {
        let state = self.states[at].clone();
        let mut moves = false;
        for who in 0..state.threads.len() as u8 {
            for choice in 0..self.machine.choices(&state, who) {
                moves = true;
                let (gate, statement) = self.machine.next(&state, who);
                let step = Move { thread: who, gate, statement };
                let (next, events) = self.machine.step(&state, who, choice);
                let to = match self.numbers.get(&next) {
                    Some(&to) => to,
                    None => {
                        let to = self.add(next, Some((at, step)));
                        queue.push_back(to);
                        to
                    }
                };
                self.truth.edges[at].push((step, to));
                self.note(&events, to, state.erred);
            }
        }
        if !moves && !state.over {
            self.end(at, &state);
        }
    }

    fn wrong(&mut self, kind: Wrong, at: usize, erred: bool) {
        self.truth.wrong.entry(kind).or_default().push(at);
        if !erred {
            self.truth.clean.insert(kind);
        }
    }

    fn note(&mut self, events: &[Event], at: usize, erred: bool) {
        for event in events {
            match event {
                Event::Uncaught(exc) => {
                    self.truth.uncaught.insert(exc.name());
                    self.wrong(Wrong::Uncaught, at, erred);
                }
                Event::Assertion => self.wrong(Wrong::Assertion, at, erred),
                Event::Range => self.wrong(Wrong::Range, at, erred),
                Event::Misuse => self.wrong(Wrong::Misuse, at, erred),
                Event::Race(field) => {
                    self.truth.races.insert(field.clone());
                    self.wrong(Wrong::Race, at, erred);
                }
                Event::TooBig => self.truth.too_big = true,
            }
        }
    }

    fn end(&mut self, at: usize, state: &State) {
        let blocked = state.threads.iter().filter(|t| t.status != Status::Ended).count();
        if blocked > 0 {
            self.wrong(Wrong::Deadlock, at, state.erred);
        }
        let text = outcome(self.machine.program, state, blocked);
        self.truth.outcomes.insert(text);
    }

    /// Threads that never move again: not backwards reachable from a move of theirs.
    fn blocked(&mut self) {
        let mut before = vec![Vec::new(); self.states.len()];
        for (from, edges) in self.truth.edges.iter().enumerate() {
            edges.iter().for_each(|&(_, to)| before[to].push(from));
        }
        let threads = self.states.iter().map(|s| s.threads.len()).max().unwrap_or(0);
        for who in 0..threads {
            let moves = self.can_move(who, &before);
            for at in (0..moves.len()).filter(|&at| !moves[at]) {
                self.wrong(Wrong::Blocked, at, self.states[at].erred);
            }
        }
    }

    /// The states from which a thread moves, or has ended.
    fn can_move(&self, who: usize, before: &[Vec<usize>]) -> Vec<bool> {
        let now = |(state, edges): (&State, &Vec<(Move, usize)>)| {
            let own = edges.iter().any(|(m, _)| usize::from(m.thread) == who);
            let ended = state.threads.get(who).is_none_or(|t| t.status == Status::Ended);
            own || ended || state.over
        };
        let mut moves: Vec<bool> = self.states.iter().zip(&self.truth.edges).map(now).collect();
        let mut work: Vec<usize> = (0..moves.len()).filter(|&at| moves[at]).collect();
        while let Some(at) = work.pop() {
            for &from in &before[at] {
                if !std::mem::replace(&mut moves[from], true) {
                    work.push(from);
                }
            }
        }
        moves
    }
}

impl Truth {
    /// A shortest run to where it goes wrong.
    pub fn path(&self, kind: Wrong) -> Vec<Move> {
        let mut path = Vec::new();
        let mut at = self.wrong.get(&kind).and_then(|all| all.first()).copied();
        while let Some((from, step)) = at.and_then(|at| self.parents[at]) {
            path.push(step);
            at = Some(from);
        }
        path.reverse();
        path
    }

    pub fn has(&self, kind: Wrong) -> bool {
        self.wrong.contains_key(&kind)
    }

    pub fn any(&self, kinds: &[Wrong]) -> bool {
        kinds.iter().any(|&kind| self.has(kind))
    }
}

/// What the harness prints of the same end: static fields of the main class, uncaught exceptions,
/// and how many threads have not ended.
fn outcome(program: &Program, state: &State, blocked: usize) -> String {
    let mut text = String::new();
    let readable = state.classes[0] != Init::Failed;
    text.push_str(if readable { "" } else { "unreadable " });
    let fields = program.classes[0].fields.iter().filter(|_| readable);
    for (field, value) in fields.zip(&state.statics[0]) {
        let atomic = matches!(field.ty, Type::Ref(Cls::AtomicInt | Cls::AtomicBool | Cls::AtomicRef));
        let inside = match value {
            Value::Ref(object) if atomic => &state.objects[usize::from(*object)].fields[0],
            _ if field.constant || field.hidden => continue,
            other => other,
        };
        text.push_str(&format!("{}={} ", field.name, shown(inside)));
    }
    let mut uncaught: Vec<_> =
        state.threads.iter().filter_map(|t| t.uncaught).map(|exc| exc.name()).collect();
    uncaught.sort_unstable();
    format!("{text}uncaught={} blocked={blocked}", uncaught.join("+"))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Int(i) => i.to_string(),
        Value::Bool(b) => b.to_string(),
        // The text of an object without a text of its own is not the same twice.
        Value::Str(_) => "text".to_owned(),
        Value::Ref(_) | Value::Exc(_) => "object".to_owned(),
    }
}
