//! Random programs in Java: the answers are held against an interpreter of its own that tries every
//! interleaving.
//!
//! A program is a tree. It is printed as Java for the front end, and compiled here to small steps,
//! each with at most one access to what is shared, which are run in every order. Two or three
//! threads, so the interpreter knows the truth: an error or a deadlock that it reaches must not be
//! said to be impossible, and one that it does not reach must not be said to be there. `PROGRAMS=n`
//! tries n programs, `FIRST=n` from there on.

use shapes::abstracted::Join;
use shapes::answer::{Request, Seen, answer};
use source::SourceMap;
use std::collections::{BTreeSet, HashMap};

struct Random(logic::random::Random);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }
}

/// Static references `S.r`, `S.q` are 0 and 1, locals `x`, `y` 2 and 3.
type Reference = usize;

#[derive(Clone, Debug)]
enum Condition {
    Flag(usize),
    Mark(Reference),
    Null(Reference),
    Same(Reference, Reference),
    Number(&'static str, i64),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

#[derive(Clone, Debug)]
enum Value {
    Null,
    New,
    Of(Reference),
    Next(Reference),
}

#[derive(Clone, Debug)]
enum Statement {
    Flag(usize, bool),
    Mark(Reference, bool),
    Refer(Reference, Value),
    Link(Reference, Reference),
    Number(i64),
    Add(i64),
    If(Condition, Vec<Statement>, Vec<Statement>),
    While(Condition, Vec<Statement>),
    Locked(usize, Vec<Statement>),
    Wait(usize),
    Notify(usize, bool),
    Assert(Condition),
}

impl Random {
    fn reference(&mut self) -> Reference {
        self.below(4)
    }

    fn condition(&mut self, depth: usize) -> Condition {
        let inner = |random: &mut Random| Box::new(random.condition(depth - 1));
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 | 1 => Condition::Flag(self.below(2)),
            2 => Condition::Mark(self.reference()),
            3 => Condition::Null(self.reference()),
            4 => Condition::Same(self.reference(), self.reference()),
            5 => Condition::Number(["==", "!=", "<", ">="][self.below(4)], self.below(3) as i64),
            6 => Condition::Not(inner(self)),
            7 => Condition::Both(inner(self), inner(self)),
            _ => Condition::Either(inner(self), inner(self)),
        }
    }

    /// `held` are the locks held here, `again` that this is in a loop.
    fn statement(&mut self, depth: usize, held: &[usize], again: bool) -> Statement {
        let kinds = if depth == 0 { 10 } else { 15 };
        match self.below(kinds) {
            0 | 1 => Statement::Flag(self.below(2), self.below(2) == 0),
            2 => Statement::Mark(self.reference(), self.below(2) == 0),
            3 | 4 => {
                let value = match self.below(5) {
                    0 => Value::Null,
                    1 if !again => Value::New,
                    2 => Value::Next(self.reference()),
                    _ => Value::Of(self.reference()),
                };
                Statement::Refer(self.reference(), value)
            }
            5 => Statement::Link(self.reference(), self.reference()),
            6 => Statement::Number(self.below(3) as i64),
            7 => Statement::Add([1, 1, -1][self.below(3)]),
            8 => match held.last() {
                Some(lock) => match self.below(3) {
                    0 => Statement::Wait(*lock),
                    all => Statement::Notify(*lock, all == 1),
                },
                None => Statement::Flag(self.below(2), true),
            },
            9 => Statement::Assert(self.condition(1)),
            10 | 11 => Statement::If(
                self.condition(1),
                self.block(depth - 1, held, again),
                self.block(depth - 1, held, again),
            ),
            12 => Statement::While(self.condition(1), self.block(depth - 1, held, true)),
            _ => {
                let lock = self.below(2);
                let inner: Vec<usize> = held.iter().copied().chain([lock]).collect();
                Statement::Locked(lock, self.block(depth - 1, &inner, again))
            }
        }
    }

    fn block(&mut self, depth: usize, held: &[usize], again: bool) -> Vec<Statement> {
        (0..1 + self.below(2)).map(|_| self.statement(depth, held, again)).collect()
    }
}

const REFERENCES: [&str; 4] = ["S.r", "S.q", "x", "y"];
const FLAGS: [&str; 2] = ["S.f", "S.g"];
const LOCKS: [&str; 2] = ["S.a", "S.b"];

fn condition_text(c: &Condition) -> String {
    match c {
        Condition::Flag(f) => FLAGS[*f].to_string(),
        Condition::Mark(r) => format!("{}.mark", REFERENCES[*r]),
        Condition::Null(r) => format!("{} == null", REFERENCES[*r]),
        Condition::Same(a, b) => format!("{} == {}", REFERENCES[*a], REFERENCES[*b]),
        Condition::Number(operator, k) => format!("S.n {operator} {k}"),
        Condition::Not(c) => format!("!({})", condition_text(c)),
        Condition::Both(a, b) => format!("({}) && ({})", condition_text(a), condition_text(b)),
        Condition::Either(a, b) => format!("({}) || ({})", condition_text(a), condition_text(b)),
    }
}

fn text(block: &[Statement]) -> String {
    let one = |s: &Statement| match s {
        Statement::Flag(f, value) => format!("{} = {value};", FLAGS[*f]),
        Statement::Mark(r, value) => format!("{}.mark = {value};", REFERENCES[*r]),
        Statement::Refer(r, value) => {
            let value = match value {
                Value::Null => "null".to_string(),
                Value::New => "new Node()".to_string(),
                Value::Of(r) => REFERENCES[*r].to_string(),
                Value::Next(r) => format!("{}.next", REFERENCES[*r]),
            };
            format!("{} = {value};", REFERENCES[*r])
        }
        Statement::Link(a, b) => format!("{}.next = {};", REFERENCES[*a], REFERENCES[*b]),
        Statement::Number(k) => format!("S.n = {k};"),
        Statement::Add(k) => format!("S.n += {k};"),
        Statement::If(c, yes, no) => {
            format!("if ({}) {{ {} }} else {{ {} }}", condition_text(c), text(yes), text(no))
        }
        Statement::While(c, body) => format!("while ({}) {{ {} }}", condition_text(c), text(body)),
        Statement::Locked(l, body) => format!("synchronized ({}) {{ {} }}", LOCKS[*l], text(body)),
        Statement::Wait(l) => format!("{}.wait();", LOCKS[*l]),
        Statement::Notify(l, true) => format!("{}.notifyAll();", LOCKS[*l]),
        Statement::Notify(l, false) => format!("{}.notify();", LOCKS[*l]),
        Statement::Assert(c) => format!("assert {};", condition_text(c)),
    };
    block.iter().map(one).collect::<Vec<_>>().join("\n    ")
}

/// Temporaries of a thread are references 4 to 6.
#[derive(Clone, Debug)]
enum Step {
    Copy(Reference, Reference),
    New(Reference),
    Clear(Reference),
    Next(Reference, Reference),
    Link(Reference, Reference),
    Mark(Reference, bool),
    Flag(usize, bool),
    Number(i64),
    Load,
    StoreAdded(i64),
    IfFlag(usize, usize, usize),
    IfMark(Reference, usize, usize),
    IfNull(Reference, usize, usize),
    IfSame(Reference, Reference, usize, usize),
    IfNumber(&'static str, i64, usize, usize),
    Lock(usize),
    Unlock(usize),
    Wait(usize),
    Wake(usize),
    Notify(usize, bool),
    Jump(usize),
    Fail,
    End,
}

#[derive(Default)]
struct Code(Vec<Step>);

impl Code {
    fn push(&mut self, step: Step) -> usize {
        self.0.push(step);
        self.0.len() - 1
    }

    /// A reference where no other thread can change it: shared ones are read first.
    fn read(&mut self, r: Reference, temporary: Reference) -> Reference {
        if r > 1 {
            return r;
        }
        self.push(Step::Copy(temporary, r));
        temporary
    }

    /// Branches; the places of jumps to the one and to the other end.
    fn condition(&mut self, c: &Condition) -> (Vec<usize>, Vec<usize>) {
        match c {
            Condition::Not(c) => {
                let (yes, no) = self.condition(c);
                (no, yes)
            }
            Condition::Both(a, b) => {
                let (yes, mut no) = self.condition(a);
                self.land(&yes);
                let (yes, more) = self.condition(b);
                no.extend(more);
                (yes, no)
            }
            Condition::Either(a, b) => {
                let (mut yes, no) = self.condition(a);
                self.land(&no);
                let (more, no) = self.condition(b);
                yes.extend(more);
                (yes, no)
            }
            simple => {
                let test = match simple {
                    Condition::Flag(f) => Step::IfFlag(*f, 0, 0),
                    Condition::Mark(r) => Step::IfMark(self.read(*r, 4), 0, 0),
                    Condition::Null(r) => Step::IfNull(self.read(*r, 4), 0, 0),
                    Condition::Same(a, b) => {
                        let a = self.read(*a, 4);
                        Step::IfSame(a, self.read(*b, 5), 0, 0)
                    }
                    Condition::Number(operator, k) => Step::IfNumber(operator, *k, 0, 0),
                    _ => unreachable!(),
                };
                let at = self.push(test);
                let (yes, no) = (self.push(Step::Jump(0)), self.push(Step::Jump(0)));
                match &mut self.0[at] {
                    Step::IfFlag(_, a, b)
                    | Step::IfMark(_, a, b)
                    | Step::IfNull(_, a, b)
                    | Step::IfSame(_, _, a, b)
                    | Step::IfNumber(_, _, a, b) => (*a, *b) = (yes, no),
                    _ => unreachable!(),
                }
                (vec![yes], vec![no])
            }
        }
    }

    /// Lets jumps lead here.
    fn land(&mut self, jumps: &[usize]) {
        let here = self.0.len();
        jumps.iter().for_each(|at| self.0[*at] = Step::Jump(here));
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Statement) {
        match s {
            Statement::Flag(f, value) => drop(self.push(Step::Flag(*f, *value))),
            Statement::Mark(r, value) => {
                let r = self.read(*r, 4);
                self.push(Step::Mark(r, *value));
            }
            Statement::Refer(r, value) => {
                match value {
                    Value::Null => self.push(Step::Clear(6)),
                    Value::New => self.push(Step::New(6)),
                    Value::Of(of) => self.push(Step::Copy(6, *of)),
                    Value::Next(of) => {
                        let of = self.read(*of, 4);
                        self.push(Step::Next(6, of))
                    }
                };
                self.push(Step::Copy(*r, 6));
            }
            Statement::Link(a, b) => {
                let a = self.read(*a, 4);
                let b = self.read(*b, 5);
                self.push(Step::Link(a, b));
            }
            Statement::Number(k) => drop(self.push(Step::Number(*k))),
            Statement::Add(k) => {
                self.push(Step::Load);
                self.push(Step::StoreAdded(*k));
            }
            Statement::If(c, yes, no) => {
                let (then, otherwise) = self.condition(c);
                self.land(&then);
                self.block(yes);
                let end = self.push(Step::Jump(0));
                self.land(&otherwise);
                self.block(no);
                self.land(&[end]);
            }
            Statement::While(c, body) => {
                let head = self.0.len();
                let (inside, after) = self.condition(c);
                self.land(&inside);
                self.block(body);
                self.push(Step::Jump(head));
                self.land(&after);
            }
            Statement::Locked(l, body) => {
                self.push(Step::Lock(*l));
                self.block(body);
                self.push(Step::Unlock(*l));
            }
            Statement::Wait(l) => {
                self.push(Step::Wait(*l));
                self.push(Step::Wake(*l));
            }
            Statement::Notify(l, all) => drop(self.push(Step::Notify(*l, *all))),
            Statement::Assert(c) => {
                let (fine, bad) = self.condition(c);
                self.land(&bad);
                self.push(Step::Fail);
                self.land(&fine);
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Thread {
    kind: usize,
    at: usize,
    /// Locals and temporaries, from reference 2 on.
    own: [Option<usize>; 5],
    number: i64,
    waits: Option<usize>,
    /// How often it held the lock that it waits for.
    depth: usize,
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct State {
    shared: [Option<usize>; 2],
    flags: [bool; 2],
    number: i64,
    nodes: Vec<(Option<usize>, bool)>,
    locks: [Option<(usize, usize)>; 2],
    threads: Vec<Thread>,
}

impl State {
    fn get(&self, t: usize, r: Reference) -> Option<usize> {
        if r < 2 { self.shared[r] } else { self.threads[t].own[r - 2] }
    }

    fn set(&mut self, t: usize, r: Reference, value: Option<usize>) {
        if r < 2 { self.shared[r] = value } else { self.threads[t].own[r - 2] = value }
    }

    /// What a thread can do next; an error is `None`.
    fn next(&self, t: usize, code: &[Vec<Step>]) -> Vec<Option<State>> {
        let thread = &self.threads[t];
        let mut s = self.clone();
        s.threads[t].at += 1;
        match &code[thread.kind][thread.at] {
            Step::End => return Vec::new(),
            Step::Fail => return vec![None],
            Step::Jump(to) => s.threads[t].at = *to,
            Step::Copy(to, from) => s.set(t, *to, self.get(t, *from)),
            Step::Clear(to) => s.set(t, *to, None),
            Step::New(to) => {
                s.nodes.push((None, false));
                s.set(t, *to, Some(self.nodes.len()));
            }
            Step::Next(to, from) => match self.get(t, *from) {
                None => return vec![None],
                Some(n) => s.set(t, *to, self.nodes[n].0),
            },
            Step::Link(a, b) => match self.get(t, *a) {
                None => return vec![None],
                Some(n) => s.nodes[n].0 = self.get(t, *b),
            },
            Step::Mark(r, value) => match self.get(t, *r) {
                None => return vec![None],
                Some(n) => s.nodes[n].1 = *value,
            },
            Step::Flag(f, value) => s.flags[*f] = *value,
            Step::Number(k) => s.number = *k,
            Step::Load => s.threads[t].number = self.number,
            Step::StoreAdded(k) => match thread.number + k {
                value @ 0..=2 => s.number = value,
                _ => return vec![None],
            },
            Step::IfFlag(f, yes, no) => s.threads[t].at = if self.flags[*f] { *yes } else { *no },
            Step::IfMark(r, yes, no) => match self.get(t, *r) {
                None => return vec![None],
                Some(n) => s.threads[t].at = if self.nodes[n].1 { *yes } else { *no },
            },
            Step::IfNull(r, yes, no) => s.threads[t].at = if self.get(t, *r).is_none() { *yes } else { *no },
            Step::IfSame(a, b, yes, no) => {
                s.threads[t].at = if self.get(t, *a) == self.get(t, *b) { *yes } else { *no };
            }
            Step::IfNumber(operator, k, yes, no) => {
                let holds = match *operator {
                    "==" => self.number == *k,
                    "!=" => self.number != *k,
                    "<" => self.number < *k,
                    _ => self.number >= *k,
                };
                s.threads[t].at = if holds { *yes } else { *no };
            }
            Step::Lock(l) => match self.locks[*l] {
                None => s.locks[*l] = Some((t, 1)),
                Some((holder, n)) if holder == t => s.locks[*l] = Some((t, n + 1)),
                Some(_) => return Vec::new(),
            },
            Step::Unlock(l) => s.locks[*l] = self.locks[*l].filter(|(_, n)| *n > 1).map(|(t, n)| (t, n - 1)),
            Step::Wait(l) => {
                s.threads[t].depth = self.locks[*l].map_or(0, |(_, n)| n);
                s.locks[*l] = None;
                s.threads[t].waits = Some(*l);
            }
            Step::Wake(l) => {
                if thread.waits.is_some() || self.locks[*l].is_some() {
                    return Vec::new();
                }
                s.locks[*l] = Some((t, thread.depth));
                s.threads[t].depth = 0;
            }
            Step::Notify(l, all) => {
                let waiting: Vec<usize> =
                    (0..self.threads.len()).filter(|u| self.threads[*u].waits == Some(*l)).collect();
                if *all || waiting.is_empty() {
                    waiting.iter().for_each(|u| s.threads[*u].waits = None);
                } else {
                    let one = |u: &usize| {
                        let mut s = s.clone();
                        s.threads[*u].waits = None;
                        Some(s)
                    };
                    return waiting.iter().map(one).collect();
                }
            }
        }
        vec![Some(s)]
    }
}

/// What can be reached: an error, a deadlock of all threads, a thread that never moves again.
#[derive(Clone, Copy, Debug, Default)]
struct Truth {
    error: bool,
    deadlock: bool,
    blocked: bool,
}

/// What can be reached; `None` if there is too much to look at. Main starts the threads at once,
/// each of them may begin late.
fn truth(code: &[Vec<Step>], kinds: &[usize]) -> Option<Truth> {
    let threads = kinds.iter().map(|kind| Thread { kind: *kind, ..Thread::default() }).collect();
    let start = State { shared: [Some(0), None], nodes: vec![(None, false)], threads, ..State::default() };
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut states = vec![start];
    // By state: who moves, and where that leads.
    let mut moves: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut truth = Truth::default();
    while let Some(state) = states.get(moves.len()).cloned() {
        let mut out = Vec::new();
        for thread in 0..kinds.len() {
            for next in state.next(thread, code) {
                let Some(next) = next else {
                    truth.error = true;
                    continue;
                };
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                out.push((thread, number));
            }
        }
        truth.deadlock |= out.is_empty() && !(0..kinds.len()).all(|t| has_ended(&state, t, code));
        moves.push(out);
        if states.len() > 60_000 {
            return None;
        }
    }
    truth.blocked = (0..kinds.len()).any(|thread| is_blocked(&states, &moves, thread, code));
    Some(truth)
}

fn has_ended(state: &State, thread: usize, code: &[Vec<Step>]) -> bool {
    let thread = &state.threads[thread];
    matches!(code[thread.kind][thread.at], Step::End)
}

/// Whether there is a state after which a thread neither moves nor has ended, whatever the others
/// do.
fn is_blocked(states: &[State], moves: &[Vec<(usize, usize)>], thread: usize, code: &[Vec<Step>]) -> bool {
    let now = |(state, out): (&State, &Vec<(usize, usize)>)| {
        has_ended(state, thread, code) || out.iter().any(|(who, _)| *who == thread)
    };
    let mut goes_on: Vec<bool> = states.iter().zip(moves).map(now).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (at, out) in moves.iter().enumerate() {
            if !goes_on[at] && out.iter().any(|(_, to)| goes_on[*to]) {
                goes_on[at] = true;
                changed = true;
            }
        }
    }
    goes_on.contains(&false)
}

fn program(kinds: &[Vec<Statement>], started: &[usize]) -> String {
    let class = |(n, body): (usize, &Vec<Statement>)| {
        format!(
            "class P{n} extends Thread {{\n  public void run() {{\n    Node x = null, y = null;\n    {}\n  }}\n}}\n",
            text(body)
        )
    };
    let classes: String = kinds.iter().enumerate().map(class).collect();
    let starts: String = started.iter().map(|k| format!("    new P{k}().start();\n")).collect();
    format!(
        "//@ range n 0..2\nclass Node {{ Node next; boolean mark; }}\n\
         class S {{\n  static Node r = new Node(), q;\n  static boolean f, g;\n  static int n;\n  \
         static final Object a = new Object(), b = new Object();\n}}\n{classes}\
         class Main {{\n  public static void main(String[] args) {{\n{starts}  }}\n}}\n"
    )
}

/// What is said of a property.
fn said(text: &str, property: &str) -> &'static str {
    let mut map = SourceMap::new();
    let file = map.add("Program.java", text);
    let (model, diagnostics) = java::read(&map, file);
    let Some(model) = model else { panic!("{diagnostics:?}\n{text}") };
    let request = Request {
        join: Join::Partial,
        concrete_first: true,
        selected: vec![property.to_string()],
        limits: explore::Limits { states: Some(1_500), ..explore::Limits::default() },
        workers: 1,
        ..Request::default()
    };
    let answer = answer(&model, &request, &mut explore::NoListener);
    assert!(answer.tried.broken.is_empty(), "a constraint of the front end is violated\n{text}");
    match answer.properties.first().map(|p| &p.seen) {
        Some(Seen::Nothing) => "holds",
        Some(Seen::Run(_)) => "violated",
        _ => "unknown",
    }
}

#[test]
fn the_truth_about_random_programs() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (programs, first) = (number("PROGRAMS", 40), number("FIRST", 1));
    let mut seen: Vec<(bool, &str)> = Vec::new();
    for seed in first..first + programs {
        let mut random = Random(logic::random::Random::new(seed));
        let kinds: Vec<Vec<Statement>> = (0..1 + random.below(2))
            .map(|_| (0..1 + random.below(3)).map(|_| random.statement(2, &[], false)).collect())
            .collect();
        let started: Vec<usize> = (0..2 + random.below(2)).map(|_| random.below(kinds.len())).collect();
        let code: Vec<Vec<Step>> = kinds
            .iter()
            .map(|body| {
                let mut code = Code::default();
                code.block(body);
                code.push(Step::End);
                code.0
            })
            .collect();
        let Some(Truth { error, deadlock, blocked }) = truth(&code, &started) else { continue };
        let text = program(&kinds, &started);
        // After an error a thread ends, which the interpreter does not follow.
        // A thread that never moves again while others do may be called a deadlock.
        let asked = [("error", error, error), ("deadlock", deadlock, deadlock || blocked)];
        for (property, bad, may_be_bad) in asked.into_iter().take(if error { 1 } else { 2 }) {
            let said = said(&text, property);
            let fits = match said {
                "holds" => !bad,
                "violated" => may_be_bad,
                _ => true,
            };
            assert!(fits, "seed {seed}: {property} is said to be {said}; really there: {bad}\n{text}");
            seen.push((bad, said));
        }
    }
    let kinds: BTreeSet<(bool, &str)> = seen.iter().copied().collect();
    let unknown = seen.iter().filter(|(_, said)| *said == "unknown").count();
    assert!(kinds.contains(&(true, "violated")) && kinds.contains(&(false, "holds")), "{kinds:?}");
    assert!(2 * unknown < seen.len(), "{unknown} of {} are unknown", seen.len());
}
