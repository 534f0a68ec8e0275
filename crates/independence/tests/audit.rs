//! Footprints and tables together, on random pairs of transitions in random states: what they call
//! independent in a state commutes there under the reference stepper (Definitions 3.15, 3.17 and
//! 3.21).

use independence::footprint::{Footprint, Target, Use, footprints};
use logic::{Binary, IntType, Sort, Term, Unary};
use num_bigint::BigInt;
use objects::{self, Dependency, Operation as On, array, channel, variable};
use system::*;

/// A source of numbers that are the same in every run.
struct Dice(logic::random::Random);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides)
    }

    fn number(&mut self) -> i64 {
        self.roll(4) as i64
    }
}

const BIT: ObjectId = 0;
const NUMBER: ObjectId = 1;
const ARRAY: ObjectId = 2;
const QUEUE: ObjectId = 3;
const SHORT: ObjectId = 4;
/// Always refers to the queue.
const FIXED: ObjectId = 5;
/// May come to refer to another.
const MOVING: ObjectId = 6;

fn two_bits() -> Sort {
    Sort::Machine(IntType::unsigned(2))
}

fn globals() -> Vec<Object> {
    let queue = || Initial::Term(Term::Atom(Read::Handle(Root::Global(QUEUE))));
    vec![
        Object::variable("bit", Sort::Machine(IntType::BIT), Initial::Zero),
        Object::variable("number", two_bits(), Initial::Zero),
        Object::variable("array", Sort::array(two_bits(), 2), Initial::Zero),
        Object::channel("queue", 2, vec![two_bits()]),
        Object::channel("short", 1, vec![two_bits()]),
        Object::variable("fixed", Sort::Channel, queue()),
        Object::variable("moving", Sort::Channel, queue()),
    ]
}

/// A random place of numbers.
fn place(dice: &mut Dice) -> Place {
    let index = match dice.roll(3) {
        0 => Place::global(BIT).read(),
        k => Term::Constant(k as i64 - 1),
    };
    match dice.roll(4) {
        0 => Place::global(BIT),
        1 => Place::global(NUMBER),
        2 => Place { root: Root::Global(ARRAY), path: vec![Access::Index(index)] },
        _ => Place::local(0),
    }
}

fn channel_term(dice: &mut Dice) -> Expr {
    match dice.roll(4) {
        0 => Term::Atom(Read::Handle(Root::Global(QUEUE))),
        1 => Term::Atom(Read::Handle(Root::Global(SHORT))),
        2 => Place::global(FIXED).read(),
        _ => Place::global(MOVING).read(),
    }
}

fn patterns(dice: &mut Dice) -> Vec<Pattern> {
    vec![match dice.roll(3) {
        0 => Pattern::Match(Term::Constant(dice.number())),
        1 => Pattern::Bind(place(dice)),
        _ => Pattern::Ignore,
    }]
}

fn comparison(dice: &mut Dice, left: Expr) -> Expr {
    let all = [Binary::Less, Binary::LessEqual, Binary::Greater, Binary::Equal, Binary::NotEqual];
    let (op, constant) = (all[dice.roll(all.len())], Term::Constant(dice.number()));
    if dice.roll(2) == 0 { Term::binary(op, left, constant) } else { Term::binary(op, constant, left) }
}

fn guard(dice: &mut Dice) -> Expr {
    let length = |dice: &mut Dice| Term::Atom(Read::Length(Box::new(channel_term(dice))));
    match dice.roll(9) {
        0 | 1 => Term::TRUE,
        2 => {
            let left = place(dice).read();
            comparison(dice, left)
        }
        3 => {
            let left = length(dice);
            comparison(dice, left)
        }
        4 => Term::Atom(Read::Empty(Box::new(channel_term(dice)))),
        5 => Term::Atom(Read::Full(Box::new(channel_term(dice)))),
        6 => {
            let channel = Box::new(channel_term(dice));
            let patterns = vec![Pattern::Match(Term::Constant(dice.number()))];
            Term::Atom(Read::Poll { channel, patterns, anywhere: dice.roll(2) == 0 })
        }
        7 => Term::unary(Unary::Not, place(dice).read()),
        _ => {
            let op = [Binary::And, Binary::Or][dice.roll(2)];
            Term::binary(op, place(dice).read(), length(dice))
        }
    }
}

fn operation(dice: &mut Dice) -> Operation {
    match dice.roll(8) {
        0..=2 => {
            let target = place(dice);
            let value = value(dice, &target);
            Operation::Assign { target, value }
        }
        3 | 4 => {
            let message = if dice.roll(2) == 0 { Term::Constant(dice.number()) } else { place(dice).read() };
            Operation::Send { channel: channel_term(dice), message: vec![message], sorted: dice.roll(3) == 0 }
        }
        5 | 6 => {
            let mode = ReceiveMode { anywhere: dice.roll(2) == 0, copy: dice.roll(4) == 0 };
            Operation::Receive { channel: channel_term(dice), patterns: patterns(dice), mode }
        }
        _ => {
            let value = Term::Atom(Read::Handle(Root::Global([QUEUE, SHORT][dice.roll(2)])));
            Operation::Assign { target: Place::global(MOVING), value }
        }
    }
}

fn value(dice: &mut Dice, target: &Place) -> Expr {
    let constant = Term::Constant(dice.number());
    let own = target.clone().read();
    match dice.roll(7) {
        0 | 1 => constant,
        2 => Term::binary(Binary::Add, own, constant),
        3 => Term::binary(Binary::Subtract, own, constant),
        4 => Term::wrap(IntType::INT, Term::binary(Binary::Subtract, Term::Constant(1), own)),
        5 => Term::unary(Unary::Not, own),
        _ => place(dice).read(),
    }
}

fn random_system(dice: &mut Dice) -> System {
    let process_type = |dice: &mut Dice| {
        let guard = guard(dice);
        let command = (0..1 + dice.roll(2)).map(|_| operation(dice)).collect();
        ProcessType {
            objects: vec![Object::variable("local", two_bits(), Initial::Zero)],
            points: vec![Location::default(); 2],
            transitions: vec![Transition::new(0, guard, command, 1)],
            ..ProcessType::default()
        }
    };
    let process_types = vec![process_type(dice), process_type(dice)];
    let initial =
        (0..2).map(|process_type| Creation { process_type, arguments: vec![], priority: 1 }).collect();
    System { globals: globals(), process_types, initial, ..System::default() }
}

fn random_state(dice: &mut Dice, system: &System) -> State {
    let mut state = State::initial(system).unwrap();
    let contents = |dice: &mut Dice, most: usize| {
        Value::Channel((0..dice.roll(most + 1)).map(|_| vec![BigInt::from(dice.number())]).collect())
    };
    state.globals[BIT] = Value::int(dice.number() % 2);
    state.globals[NUMBER] = Value::int(dice.number());
    state.globals[ARRAY] = Value::Parts(vec![Value::int(dice.number()), Value::int(dice.number())]);
    state.globals[QUEUE] = contents(dice, 2);
    state.globals[SHORT] = contents(dice, 1);
    let moves =
        |o: &Operation| matches!(o, Operation::Assign { target, .. } if *target == Place::global(MOVING));
    if system.process_types.iter().any(|t| t.transitions[0].command.iter().any(moves)) {
        state.globals[MOVING] = Value::int(1 + dice.number() % 2);
    }
    state
}

/// What comes of trying the only transition of a process.
#[derive(Debug, PartialEq)]
enum Outcome {
    Disabled,
    Fault(Option<Fault>),
    Next(State),
}

fn try_it(system: &System, state: &State, pid: Pid) -> Outcome {
    let mut moves = Reference::new(system).moves(state).into_iter().filter(|m| m.step.actor == pid);
    match moves.next() {
        None => Outcome::Disabled,
        Some(Move { next: None, fault, .. }) => Outcome::Fault(fault),
        Some(Move { next: Some(next), .. }) => Outcome::Next(State { last: 0, ..next }),
    }
}

/// Definition 3.17 for the transitions of the two processes.
fn commute(system: &System, state: &State) -> bool {
    let same_way = |before: &Outcome, after: &Outcome| match (before, after) {
        (Outcome::Next(_), Outcome::Next(_)) => true,
        (before, after) => before == after,
    };
    let (a, b) = (try_it(system, state, 0), try_it(system, state, 1));
    let b_after = if let Outcome::Next(s) = &a { Some(try_it(system, s, 1)) } else { None };
    let a_after = if let Outcome::Next(s) = &b { Some(try_it(system, s, 0)) } else { None };
    let undisturbed = b_after.as_ref().is_none_or(|after| same_way(&b, after))
        && a_after.as_ref().is_none_or(|after| same_way(&a, after));
    undisturbed && (a_after.is_none() || b_after.is_none() || a_after == b_after)
}

fn meet(a: Target, b: Target) -> bool {
    let is_channel = |t| matches!(t, Target::AnyChannel | Target::Global(QUEUE | SHORT));
    match (a, b) {
        (Target::AnyChannel, other) | (other, Target::AnyChannel) => is_channel(other),
        (Target::Global(a), Target::Global(b)) => a == b,
        _ => false,
    }
}

/// Definition 3.21 in a state; what a command uses again after changing it is taken as constantly
/// dependent.
fn dependent(system: &System, state: &State, a: &Footprint, b: &Footprint, by: Dependency) -> bool {
    let pair = |x: &Use, y: &Use| {
        let repeated = a.repeated.contains(&x.target) || b.repeated.contains(&y.target);
        let by = if repeated { Dependency::Constant } else { by };
        meet(x.target, y.target) && operations_dependent(system, state, x, y, by)
    };
    a.all().any(|x| b.all().any(|y| pair(x, y)))
}

fn operations_dependent(system: &System, state: &State, x: &Use, y: &Use, by: Dependency) -> bool {
    let Target::Global(object) = x.target else {
        return objects::can_be_dependent(&x.operation, &y.operation);
    };
    match (&x.operation, &y.operation, &state.globals[object], &system.globals[object].kind) {
        (On::Variable(a), On::Variable(b), Value::Int(value), ObjectKind::Variable { sort, .. }) => {
            variable::dependent(by, *a, *b, variable::View { value, sort })
        }
        (On::Part(a), On::Part(b), Value::Parts(parts), ObjectKind::Variable { .. }) => {
            let index = a.path[0].filter(|i| *i < parts.len());
            let Some(Value::Int(value)) = index.map(|i| &parts[i]) else {
                return array::can_be_dependent(a, b);
            };
            array::dependent(by, a, b, Some(variable::View { value, sort: &two_bits() }))
        }
        (On::Channel(a), On::Channel(b), Value::Channel(messages), ObjectKind::Channel { capacity, .. })
            if y.target == x.target =>
        {
            let n = messages.len();
            let flags = [(false, false), (false, true), (true, false), (true, true)];
            flags.iter().any(|(row, column)| {
                let at = channel::View { n, capacity: *capacity, row: *row, column: *column };
                channel::dependent(by, *a, *b, at)
            })
        }
        (a, b, _, _) => objects::can_be_dependent(a, b),
    }
}

#[test]
fn what_is_called_independent_commutes() {
    let mut dice = Dice(logic::random::Random::new(1));
    let mut called = [0; 3];
    let mut true_for = 0;
    for _ in 0..4_000 {
        let system = random_system(&mut dice);
        let found = footprints(&system);
        for _ in 0..8 {
            let state = random_state(&mut dice, &system);
            let commutes = commute(&system, &state);
            true_for += usize::from(commutes);
            let relations = [Dependency::Constant, Dependency::Uniform, Dependency::Conditional];
            for (count, by) in called.iter_mut().zip(relations) {
                if !dependent(&system, &state, &found[0][0], &found[1][0], by) {
                    *count += 1;
                    let transitions =
                        system.process_types.iter().map(|t| &t.transitions[0]).collect::<Vec<_>>();
                    assert!(commutes, "{by:?}\n{transitions:#?}\n{found:#?}\n{state:?}");
                }
            }
        }
    }
    let [constant, uniform, conditional] = called;
    assert!(constant < uniform && uniform < conditional && conditional < true_for, "{called:?} {true_for}");
    // Of the pairs that commute, the tables know a good part: 37 % and 49 % with this seed.
    assert!(
        constant * 3 > true_for && conditional * 100 > true_for * 49,
        "{called:?} of {true_for} that commute"
    );
}
