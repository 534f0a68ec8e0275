//! Random small systems: two or three processes over bits, a small array and channels with and
//! without room.

use crate::examples::{Builder, Edge, Example, empty, equals, handle, receive, send, set};
use logic::{Binary, Term, Unary};
use system::{Operation, Pattern, Place, Read, ReceiveMode};

pub struct Dice(logic::random::Random);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(logic::random::Random::new(seed))
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides)
    }
}

pub fn system(seed: u64) -> Example {
    let mut dice = Dice::new(seed);
    let mut builder = Builder::new("random");
    let bits = [builder.boolean("x"), builder.boolean("y")];
    let channels = [builder.channel("q", 1 + dice.roll(2)), builder.channel("r", dice.roll(2) * 2)];
    for name in ["A", "B", "C"].iter().take(2 + dice.roll(2)) {
        let points = 2 + dice.roll(2);
        let count = points + dice.roll(3);
        let edges = (0..count).map(|k| edge(&mut dice, k, points, bits, channels)).collect();
        builder.process(name, edges);
    }
    builder.build()
}

fn edge(dice: &mut Dice, k: usize, points: usize, bits: [usize; 2], channels: [usize; 2]) -> Edge<'static> {
    let x = bits[dice.roll(2)];
    let q = channels[dice.roll(2)];
    let full = Term::Atom(Read::Full(Box::new(handle(channels[0]))));
    let guard = match dice.roll(9) {
        0 => equals(x, 0),
        1 => equals(x, 1),
        2 if k.is_multiple_of(2) => empty(channels[0]),
        2 => Term::unary(Unary::Not, empty(channels[0])),
        3 => Term::unary(Unary::Not, full),
        4 => Term::binary(Binary::And, equals(bits[0], 1), equals(bits[1], 0)),
        _ => Term::TRUE,
    };
    let read = |object| Place::global(object).read();
    let command = match dice.roll(10) {
        0 | 1 => set(x, dice.roll(2) as i64),
        2 => vec![Operation::Assign {
            target: Place::global(x),
            value: Term::binary(Binary::Subtract, Term::Constant(1), read(x)),
        }],
        3 => vec![Operation::Assign { target: Place::global(bits[0]), value: read(bits[1]) }],
        4 | 5 => send(q, dice.roll(2) as i64),
        6 => receive(q),
        7 | 8 => vec![Operation::Receive {
            channel: handle(q),
            patterns: vec![Pattern::Match(Term::Constant(dice.roll(2) as i64))],
            mode: ReceiveMode { anywhere: dice.roll(2) == 0, copy: q == channels[0] && dice.roll(4) == 0 },
        }],
        _ => vec![],
    };
    ("t", if k < points { k } else { dice.roll(points) }, guard, command, dice.roll(points))
}
