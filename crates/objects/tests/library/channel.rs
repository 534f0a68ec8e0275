//! All channels with up to three messages, of all small capacities and unbounded.

use crate::definitions::*;
use num_bigint::BigInt;
use objects::Dependency;
use objects::channel::{self, Call, Input, Message, Operation, Output, UNBOUNDED, View, Wanted};
use std::collections::{HashMap, HashSet};

const OPERATIONS: [Operation; 12] = [
    Operation::Send,
    Operation::SortedSend,
    Operation::Receive,
    Operation::MatchingReceive,
    Operation::RandomReceive,
    Operation::CopyingReceive,
    Operation::RandomCopy,
    Operation::Poll,
    Operation::RandomPoll,
    Operation::Length,
    Operation::Empty,
    Operation::Full,
];
const THESIS: [Operation; 5] =
    [Operation::Send, Operation::Receive, Operation::Length, Operation::Empty, Operation::Full];
const RELATIONS: [Dependency; 3] = [Dependency::Constant, Dependency::Conditional, Dependency::Uniform];

struct Channel {
    capacity: usize,
    operations: Vec<Operation>,
    messages: Vec<Message>,
    wanted: Vec<Wanted>,
}

impl Channel {
    fn new(capacity: usize, fields: usize, values: i64) -> Channel {
        let one: Vec<BigInt> = (0..values).map(BigInt::from).collect();
        let field: Vec<Option<BigInt>> = one.iter().cloned().map(Some).chain([None]).collect();
        let (messages, wanted) = (tuples(&one, fields), tuples(&field, fields));
        Channel { capacity, operations: OPERATIONS.to_vec(), messages, wanted }
    }

    fn inputs(&self, operation: Operation) -> Vec<Input> {
        use Operation::*;
        match operation {
            Send | SortedSend => self.messages.iter().cloned().map(Input::Message).collect(),
            Receive | Length | Empty | Full => vec![Input::Nothing],
            _ => self.wanted.iter().cloned().map(Input::Wanted).collect(),
        }
    }

    fn dependent(&self, by: Dependency, a: &Call, b: &Call, value: &[Message]) -> bool {
        channel::dependent(by, a.operation, b.operation, View::of(a, b, value, self.capacity))
    }
}

fn tuples<T: Clone>(items: &[T], length: usize) -> Vec<Vec<T>> {
    (0..length).fold(vec![Vec::new()], |shorter, _| {
        shorter.iter().flat_map(|t| items.iter().map(|x| [t.clone(), vec![x.clone()]].concat())).collect()
    })
}

impl Kind for Channel {
    type Value = Vec<Message>;
    type Call = Call;
    type Output = Output;

    fn values(&self) -> Vec<Self::Value> {
        (0..=self.capacity.min(3)).flat_map(|n| tuples(&self.messages, n)).collect()
    }

    fn calls(&self) -> Vec<Call> {
        let of = |o: &Operation| {
            let operation = *o;
            self.inputs(operation).into_iter().map(move |input| Call { operation, input })
        };
        self.operations.iter().flat_map(of).collect()
    }

    fn perform(&self, call: &Call, value: &Self::Value) -> Option<(Output, Self::Value)> {
        call.perform(value, self.capacity)
    }
}

/// Capacities 0 to 3 and unbounded, with three values in one field and two in each of two.
fn all_channels() -> Vec<Channel> {
    [0, 1, 2, 3, UNBOUNDED]
        .into_iter()
        .flat_map(|capacity| [Channel::new(capacity, 1, 3), Channel::new(capacity, 2, 2)])
        .collect()
}

/// Two values are enough where whole sets of states are gone through.
fn small_channels() -> Vec<Channel> {
    [1, 2, 3, UNBOUNDED].into_iter().map(|capacity| Channel::new(capacity, 1, 2)).collect()
}

#[test]
fn independent_operations_commute() {
    for kind in all_channels() {
        RELATIONS.iter().for_each(|by| check(&kind, |a, b, value| kind.dependent(*by, a, b, value)));
        let calls = kind.calls();
        for value in kind.values() {
            for a in &calls {
                for b in &calls {
                    for by in RELATIONS {
                        let said = kind.dependent(by, a, b, &value);
                        assert_eq!(said, kind.dependent(by, b, a, &value), "symmetry of {a:?} {b:?}");
                    }
                    // A channel without room has tables of its own; these are still valid for it.
                    let [constant, conditional, uniform] =
                        RELATIONS.map(|by| kind.dependent(by, a, b, &value) && kind.capacity > 0);
                    assert!(!conditional || uniform, "{a:?} {b:?} in {value:?} of {}", kind.capacity);
                    assert!(!uniform || constant, "{a:?} {b:?} in {value:?} of {}", kind.capacity);
                }
            }
        }
    }
}

/// What is gathered about a pair of operations: capacity, messages, and which of the two are
/// possible.
type Class = (Operation, Operation, usize, usize, bool, bool);

fn class(kind: &Channel, a: &Call, b: &Call, value: &[Message]) -> Class {
    let View { n, capacity, row, column } = View::of(a, b, value, kind.capacity);
    (a.operation, b.operation, capacity, n, row, column)
}

#[test]
fn dependent_operations_have_a_witness() {
    let mut said = HashSet::new();
    let mut true_for = HashSet::new();
    for kind in all_channels().into_iter().filter(|k| k.capacity > 0) {
        let calls = kind.calls();
        for value in kind.values() {
            for (a, b) in calls.iter().flat_map(|a| calls.iter().map(move |b| (a, b))) {
                let class = class(&kind, a, b, &value);
                if kind.dependent(Dependency::Conditional, a, b, &value) {
                    said.insert(class);
                }
                if !independent(&kind, a, b, &value) {
                    true_for.insert(class);
                }
            }
        }
    }
    use Operation::*;
    let exact = |a, b| {
        matches!((a, b), (Send | SortedSend, RandomReceive | RandomCopy | RandomPoll))
            || matches!((a, b), (Receive, RandomReceive | RandomCopy | RandomPoll))
            || matches!(
                (a, b),
                (RandomReceive, RandomReceive | RandomCopy | RandomPoll | Length | Empty | Full)
            )
    };
    for class @ (a, b, capacity, n, row, column) in said {
        if exact(a, b) || exact(b, a) {
            assert!(true_for.contains(&class), "{class:?}");
        } else {
            // The tables ask for the number of messages alone: a receive that finds no match, or
            // whose match another receive leaves alone, is taken for dependent all the same.
            let ways = [(row, column), (true, true), (true, false), (false, true)];
            let witness = ways.iter().any(|(x, y)| true_for.contains(&(a, b, capacity, n, *x, *y)));
            assert!(witness, "{class:?}");
        }
    }
}

#[test]
fn static_relations_are_what_the_conditional_tables_imply() {
    let mut dependent = HashSet::new();
    let mut disaccord = HashSet::new();
    for kind in all_channels() {
        let calls = kind.calls();
        for value in kind.values() {
            for (a, b) in calls.iter().flat_map(|a| calls.iter().map(move |b| (a, b))) {
                let defined = kind.perform(a, &value).is_some() && kind.perform(b, &value).is_some();
                for by in RELATIONS.into_iter().filter(|by| kind.dependent(*by, a, b, &value)) {
                    dependent.insert((by, a.operation, b.operation));
                    if defined {
                        disaccord.insert((by, a.operation, b.operation));
                    }
                }
            }
        }
    }
    for (by, a, b) in
        RELATIONS.iter().flat_map(|r| OPERATIONS.iter().flat_map(move |a| OPERATIONS.map(|b| (*r, *a, b))))
    {
        assert_eq!(channel::can_be_dependent(a, b), dependent.contains(&(by, a, b)), "{by:?} {a:?} {b:?}");
        assert_eq!(channel::do_not_accord(by, a, b), disaccord.contains(&(by, a, b)), "{by:?} {a:?} {b:?}");
    }
}

#[test]
fn the_first_to_interfere_are_in_the_table() {
    for by in RELATIONS {
        let mut said: HashMap<(Operation, Operation, usize, usize), bool> = HashMap::new();
        for kind in small_channels() {
            for value in kind.values() {
                for a in kind.calls() {
                    let dependent =
                        |x: &Call, y: &Call, v: &Vec<Message>| kind.dependent(by, x, y, v.as_slice());
                    let found = first_to_interfere(&kind, &a, &value, dependent, |v| v.len() > 5);
                    for b in kind.calls() {
                        let at = View::of(&a, &b, &value, kind.capacity);
                        let truly = found.contains(&b);
                        if channel::interferes(by, a.operation, b.operation, at) {
                            let key = (a.operation, b.operation, kind.capacity, value.len());
                            *said.entry(key).or_default() |= truly;
                        } else {
                            assert!(!truly, "{by:?} {a:?} ▷ {b:?} in {value:?} of {}", kind.capacity);
                        }
                    }
                }
            }
        }
        if by != Dependency::Constant {
            let idle: Vec<_> = said.into_iter().filter(|(key, truly)| !truly && !is_generous(*key)).collect();
            assert!(idle.is_empty(), "{by:?} {idle:?}");
        }
    }
}

/// Where ▷s says more than needed: nothing fills an unbounded channel, and sorted sends compete
/// only for a last place; in a channel for one message a sorted send has nothing to overtake.
fn is_generous((a, b, capacity, n): (Operation, Operation, usize, usize)) -> bool {
    use Operation::*;
    match (a, b) {
        (Full, Send | SortedSend) | (Send | SortedSend | Receive | MatchingReceive | RandomReceive, Full) => {
            capacity == UNBOUNDED
        }
        (SortedSend, SortedSend) => capacity == UNBOUNDED,
        (SortedSend, Receive | MatchingReceive | RandomReceive | CopyingReceive | RandomCopy) => {
            capacity == 1 && n == 0
        }
        _ => false,
    }
}

/// The thesis' tables once more, as printed: rows and columns Send, Receive, Length, Empty, Full.
#[test]
fn the_tables_contain_those_of_the_thesis() {
    for capacity in 1..=6 {
        for n in 0..=capacity {
            let (o, cap) = (false, capacity);
            let ends = n == 0 || n == cap;
            let example_3_20 = [
                [n < cap, ends, n < cap, n == 0, n + 1 == cap],
                [ends, n > 0, n > 0, n == 1, n == cap],
                [n < cap, n > 0, o, o, o],
                [n == 0, n == 1, o, o, o],
                [n + 1 == cap, n == cap, o, o, o],
            ];
            let mut example_6_7 = example_3_20;
            (example_6_7[0][4], example_6_7[4][0]) = (n < cap, n < cap);
            (example_6_7[1][3], example_6_7[3][1]) = (n > 0, n > 0);
            let example_4_29 = [
                [n < cap, n == cap, n < cap, n < cap, n + 1 == cap],
                [n == 0, n > 0, n > 0, n == 1, n > 0],
                [n < cap, n > 0, o, o, o],
                [n == 0, n > 0, o, o, o],
                [n < cap, n == cap, o, o, o],
            ];
            let possible = |operation| match operation {
                Operation::Send => n < cap,
                Operation::Receive => n > 0,
                _ => true,
            };
            for (i, a) in THESIS.into_iter().enumerate() {
                for (j, b) in THESIS.into_iter().enumerate() {
                    let at = View { n, capacity, row: possible(a), column: possible(b) };
                    let dependent = |by| channel::dependent(by, a, b, at);
                    assert_eq!(dependent(Dependency::Conditional), example_3_20[i][j], "{a:?} {b:?} {at:?}");
                    assert_eq!(dependent(Dependency::Uniform), example_6_7[i][j], "{a:?} {b:?} {at:?}");
                    let interferes = channel::interferes(Dependency::Conditional, a, b, at);
                    assert_eq!(interferes, example_4_29[i][j], "{a:?} ▷ {b:?} {at:?}");
                }
            }
        }
    }
}

/// What a transition does on one channel: one operation, or a test before one that changes it.
fn sequences(kind: &Channel) -> Vec<Vec<Call>> {
    let changes = |c: &&Call| c.operation <= Operation::RandomReceive;
    let calls = kind.calls();
    let tests = calls.iter().filter(|c| c.operation >= Operation::Poll);
    let pairs = tests.flat_map(|t| calls.iter().filter(changes).map(move |c| vec![t.clone(), c.clone()]));
    calls.iter().map(|c| vec![c.clone()]).chain(pairs).collect()
}

#[test]
fn the_repaired_table_is_weakly_uniform() {
    for kind in small_channels() {
        let dependent =
            |a: &Call, b: &Call, v: &Vec<Message>| kind.dependent(Dependency::Uniform, a, b, v.as_slice());
        let broken = breaks_weak_uniformity(&kind, &sequences(&kind), dependent);
        assert!(broken.is_empty(), "{:?}", broken.first());
    }
}

/// Example 6.7: the table of example 3.19 is weakly uniform, that of 3.20 is not, and this is the
/// reason given.
#[test]
fn the_conditional_table_is_weakly_uniform_without_empty_and_full() {
    let broken = |capacity, operations: &[Operation]| {
        let kind = Channel { operations: operations.to_vec(), ..Channel::new(capacity, 1, 2) };
        let dependent = |a: &Call, b: &Call, v: &Vec<Message>| {
            kind.dependent(Dependency::Conditional, a, b, v.as_slice())
        };
        let singles: Vec<_> = kind.calls().into_iter().map(|c| vec![c]).collect();
        breaks_weak_uniformity(&kind, &singles, dependent)
    };
    for capacity in [1, 2, 3, UNBOUNDED] {
        assert!(broken(capacity, &THESIS[..3]).is_empty());
    }
    let reason =
        |(value, calls): (Vec<Message>, [Vec<Call>; 3])| (value.len(), calls.map(|c| c[0].operation));
    let reasons: HashSet<_> = broken(3, &THESIS).into_iter().map(reason).collect();
    assert!(reasons.contains(&(2, [Operation::Full, Operation::Send, Operation::Receive])), "{reasons:?}");
    assert!(reasons.contains(&(1, [Operation::Empty, Operation::Receive, Operation::Send])), "{reasons:?}");
}
