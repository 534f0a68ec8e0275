//! The examples of the thesis as systems, for the tests of every crate, and the small builder they
//! are made with.
//!
//! Included by path. Each example is a system and the state its text talks about, which need not be
//! the initial one.

#![allow(dead_code, reason = "each test uses a part")]

use logic::{Binary, IntType, Sort, Term, Unary};
use system::*;

/// A system with the state that the text considers.
pub struct Example {
    pub system: System,
    pub state: State,
}

/// Builds a labelled formal concurrent system: global objects, and processes that all exist from
/// the beginning.
#[derive(Default)]
pub struct Builder {
    system: System,
}

/// `(pre, guard, command, post)` with a name.
pub type Edge<'a> = (&'a str, LocationId, Expr, Vec<Operation>, LocationId);

impl Builder {
    pub fn new(name: &str) -> Builder {
        Builder { system: System { name: name.to_string(), ..System::default() } }
    }

    fn object(&mut self, object: Object) -> ObjectId {
        self.system.globals.push(object);
        self.system.globals.len() - 1
    }

    /// A boolean variable, 0 at first.
    pub fn boolean(&mut self, name: &str) -> ObjectId {
        self.object(Object::variable(name, Sort::Machine(IntType::BIT), Initial::Zero))
    }

    /// A bounded FIFO channel of bytes.
    pub fn channel(&mut self, name: &str, capacity: usize) -> ObjectId {
        self.object(Object::channel(name, capacity, vec![Sort::Machine(IntType::BYTE)]))
    }

    /// A process with its transitions; it begins at its first point and may rest nowhere.
    pub fn process(&mut self, name: &str, edges: Vec<Edge<'_>>) -> &mut Builder {
        let last = edges.iter().map(|a| a.1.max(a.4)).max().unwrap_or(0);
        let prefix = name.to_lowercase();
        let point = |k| Location { labels: vec![format!("{prefix}{k}")], ..Location::default() };
        let transition = |(text, pre, guard, command, post): Edge<'_>| Transition {
            text: text.to_string(),
            ..Transition::new(pre, guard, command, post)
        };
        let process_type = ProcessType {
            name: name.to_string(),
            points: (0..=last).map(point).collect(),
            transitions: edges.into_iter().map(transition).collect(),
            ..ProcessType::default()
        };
        self.system.process_types.push(process_type);
        let process_type = self.system.process_types.len() - 1;
        self.system.initial.push(Creation { process_type, arguments: Vec::new(), priority: 1 });
        self
    }

    /// The example in its initial state.
    pub fn build(self) -> Example {
        let state = State::initial(&self.system).expect("nothing here is computed, so nothing can fail");
        Example { system: self.system, state }
    }
}

/// `x := c`
pub fn set(object: ObjectId, value: i64) -> Vec<Operation> {
    vec![Operation::Assign { target: Place::global(object), value: Term::Constant(value) }]
}

/// `x = c`
pub fn equals(object: ObjectId, value: i64) -> Expr {
    Term::binary(Binary::Equal, Place::global(object).read(), Term::Constant(value))
}

/// The handle of a global channel.
pub fn handle(channel: ObjectId) -> Expr {
    Term::Atom(Read::Handle(Root::Global(channel)))
}

/// `Send(q, m)`
pub fn send(channel: ObjectId, message: i64) -> Vec<Operation> {
    vec![Operation::Send { channel: handle(channel), message: vec![Term::Constant(message)], sorted: false }]
}

/// `Receive(q)`, the message discarded.
pub fn receive(channel: ObjectId) -> Vec<Operation> {
    let mode = ReceiveMode { anywhere: false, copy: false };
    vec![Operation::Receive { channel: handle(channel), patterns: vec![Pattern::Ignore], mode }]
}

/// `Empty(q)`
pub fn empty(channel: ObjectId) -> Expr {
    Term::Atom(Read::Empty(Box::new(handle(channel))))
}

fn always(name: &str, pre: LocationId, command: Vec<Operation>, post: LocationId) -> Edge<'_> {
    (name, pre, Term::TRUE, command, post)
}

/// Section 2.3: two dining philosophers.
pub fn section_2_3() -> Example {
    let mut b = Builder::new("section 2.3");
    let (f1, f2) = (b.boolean("f1"), b.boolean("f2"));
    let philosopher = |left, right, names: [&'static str; 4]| {
        vec![
            (names[0], 0, equals(left, 0), set(left, 1), 1),
            (names[1], 1, equals(right, 0), set(right, 1), 2),
            always(names[2], 2, set(left, 0), 3),
            always(names[3], 3, set(right, 0), 0),
        ]
    };
    b.process("A", philosopher(f1, f2, ["t1A", "t2A", "t3A", "t4A"]));
    b.process("B", philosopher(f2, f1, ["t1B", "t2B", "t3B", "t4B"]));
    b.build()
}

/// Two processes over two booleans `x` and `y`, as most examples have.
fn two_booleans(
    name: &str,
    a: impl Fn(ObjectId, ObjectId) -> Vec<Edge<'static>>,
    b: impl Fn(ObjectId, ObjectId) -> Vec<Edge<'static>>,
) -> Example {
    let mut builder = Builder::new(name);
    let (x, y) = (builder.boolean("x"), builder.boolean("y"));
    builder.process("A", a(x, y)).process("B", b(x, y));
    builder.build()
}

/// Example 4.8: Algorithm 1 finds {t1}.
pub fn example_4_8() -> Example {
    two_booleans(
        "example 4.8",
        |x, y| vec![always("t1", 0, set(x, 1), 1), always("t2", 1, set(y, 0), 2)],
        |_, y| vec![always("t3", 0, set(y, 1), 1)],
    )
}

/// Example 4.11: Algorithm 2 finds {t1}, Algorithm 1 does not.
pub fn example_4_11() -> Example {
    two_booleans(
        "example 4.11",
        |x, y| {
            let t2 = ("t2", 0, equals(x, 1), set(x, 0), 3);
            vec![always("t1", 0, set(x, 1), 1), t2, always("t3", 1, set(y, 0), 2)]
        },
        |_, y| vec![always("t4", 0, set(y, 1), 1)],
    )
}

/// Example 4.19: in (a1, b1, 0, 0), which is not reachable from (a0, b0, 0, 0), Algorithm 3 finds
/// {t4}.
pub fn example_4_19() -> Example {
    let mut example = two_booleans(
        "example 4.19",
        |x, y| vec![always("t1", 0, set(x, 1), 1), always("t2", 1, set(y, 0), 2)],
        |x, y| vec![always("t3", 0, set(y, 1), 1), always("t4", 1, set(x, 0), 0)],
    );
    example.state.processes.iter_mut().for_each(|p| p.point = 1);
    example
}

/// Example 4.30: with three messages in `q`, Algorithm 4 finds {t1}.
pub fn example_4_30() -> Example {
    let mut b = Builder::new("example 4.30");
    let (q, x) = (b.channel("q", 5), b.boolean("x"));
    b.process("A", vec![always("t1", 0, receive(q), 1), always("t2", 1, set(x, 0), 0)]);
    let t4 = ("t4", 1, empty(q), vec![], 2);
    let t5 = ("t5", 1, Term::unary(Unary::Not, empty(q)), vec![], 3);
    b.process("B", vec![always("t3", 0, set(x, 1), 1), t4, t5]);
    let mut example = b.build();
    let messages = [1, 2, 3].map(|m| vec![m.into()]).to_vec();
    if let Some(contents) = example.state.globals.get_mut(q) {
        *contents = Value::Channel(messages);
    }
    example
}

/// Example 5.1: the only persistent set is everything, but t1 and t3 are independent.
pub fn example_5_1() -> Example {
    two_booleans(
        "example 5.1",
        |x, y| vec![always("t1", 0, set(x, 0), 1), always("t2", 1, set(y, 0), 2)],
        |x, y| vec![always("t3", 0, set(y, 1), 1), always("t4", 1, set(x, 1), 2)],
    )
}

/// Example 5.5: with sleep sets alone every state is visited once.
pub fn example_5_5() -> Example {
    two_booleans(
        "example 5.5",
        |x, _| vec![always("t1", 0, set(x, 1), 1), always("t2", 1, set(x, 0), 2)],
        |_, y| vec![always("t3", 0, set(y, 1), 1), always("t4", 1, set(y, 0), 2)],
    )
}

/// Example 6.1: without proviso a reduced search never moves B.
pub fn example_6_1() -> Example {
    two_booleans(
        "example 6.1",
        |x, _| vec![always("t1", 0, set(x, 1), 1), always("t2", 1, set(x, 0), 0)],
        |_, y| vec![always("t3", 0, set(y, 1), 1)],
    )
}

/// Example 8.1: producer and consumer over a channel of the given size.
pub fn example_8_1(capacity: usize) -> Example {
    let mut b = Builder::new("example 8.1");
    let q = b.channel("q", capacity);
    let full = Term::Atom(Read::Full(Box::new(handle(q))));
    b.process("P", vec![("t1", 0, Term::unary(Unary::Not, full), send(q, 1), 0)]);
    b.process("C", vec![("t2", 0, Term::unary(Unary::Not, empty(q)), receive(q), 0)]);
    b.build()
}
