//! Random conditions from a seed: a few assumptions and a goal, in one of several theories.

use logic::fol::{Constructor, Op, Sort, Symbol, Term};
use solve::Assumption;

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    Integers,
    Functions,
    Arrays,
    Reals,
    Uninterpreted,
    Division,
    Bits,
    Data,
    Queues,
    /// Queues that grow at both ends.
    Lists,
    /// Universal assumptions over indices of arrays.
    Quantified,
}

/// Those whose answer must never be unknown, and that z3 decides, too.
pub const DECIDED: [Theory; 8] = [
    Theory::Integers,
    Theory::Functions,
    Theory::Arrays,
    Theory::Reals,
    Theory::Uninterpreted,
    Theory::Division,
    Theory::Bits,
    Theory::Data,
];

pub struct Condition {
    pub assumptions: Vec<Assumption>,
    pub goal: Term,
}

pub fn condition(theory: Theory, seed: u64) -> Condition {
    let mut random = Random { numbers: logic::random::Random::new(seed), theory };
    let count = 3 + random.below(7);
    let assumptions = (0..count).map(|n| Assumption::new(format!("h{n}"), random.clause())).collect();
    Condition { assumptions, goal: random.clause() }
}

struct Random {
    numbers: logic::random::Random,
    theory: Theory,
}

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.numbers.below(limit)
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn constant(&mut self, names: &[&str], sort: &Sort) -> Term {
        Symbol::constant(self.pick(names), sort.clone()).term()
    }

    fn clause(&mut self) -> Term {
        if self.theory == Theory::Quantified && self.below(3) == 0 {
            return self.universal();
        }
        match self.below(6) {
            0 | 1 => self.atom(2),
            2 => Term::or([self.literal(), self.literal()]),
            3 => self.literal().implies(&self.literal()),
            4 => self.literal().equals(&self.literal()),
            _ => Term::or([Term::and([self.literal(), self.literal()]), self.literal()]),
        }
    }

    fn literal(&mut self) -> Term {
        let atom = self.atom(1);
        if self.below(2) == 0 { atom } else { atom.negated() }
    }

    fn universal(&mut self) -> Term {
        let bound = Symbol::constant("bound", Sort::Int);
        let i = bound.term();
        let array = self.array(0);
        let range = i.between(&Term::int(0), &self.number(&Sort::Int, 0));
        let body = match self.below(3) {
            0 => array.select(&i).less(&self.number(&Sort::Int, 0)),
            1 => array.select(&i).at_most(&self.array(0).select(&i)),
            _ => array.select(&i).differs(&self.number(&Sort::Int, 0)),
        };
        Term::forall(vec![bound], &range.implies(&body))
    }

    fn atom(&mut self, depth: usize) -> Term {
        let theory = self.theory;
        match theory {
            Theory::Reals if self.below(3) == 0 => self.comparison(&Sort::Int, depth),
            Theory::Reals => self.comparison(&Sort::Real, depth),
            Theory::Arrays if self.below(4) == 0 => self.array(depth).equals(&self.array(depth)),
            Theory::Functions if self.below(5) == 0 => {
                let argument = self.number(&Sort::Int, depth);
                Symbol::function("p", vec![Sort::Int], Sort::Bool).apply([argument])
            }
            Theory::Uninterpreted => self.element(depth + 1).equals(&self.element(depth + 1)),
            Theory::Bits => {
                let op = self.pick(&[
                    Op::Equal,
                    Op::UnsignedLess,
                    Op::UnsignedLessEqual,
                    Op::SignedLess,
                    Op::SignedLessEqual,
                ]);
                Term::of(op, [self.bits(depth + 1), self.bits(depth + 1)])
            }
            Theory::Data => match self.below(5) {
                0 => self.list(depth).is(self.below(2)),
                1 => self.list(depth + 1).equals(&self.list(depth + 1)),
                2 => self.colour().equals(&self.colour()),
                3 => self.pair(depth).equals(&self.pair(depth)),
                _ => self.comparison(&Sort::Int, depth),
            },
            Theory::Queues | Theory::Lists if self.below(2) == 0 => {
                self.queue(depth + 1).equals(&self.queue(depth + 1))
            }
            _ => self.comparison(&Sort::Int, depth),
        }
    }

    fn comparison(&mut self, sort: &Sort, depth: usize) -> Term {
        let op = self.pick(&[Op::Less, Op::LessEqual, Op::Equal]);
        Term::of(op, [self.number(sort, depth + 1), self.number(sort, depth)])
    }

    fn numeral(&mut self, sort: &Sort) -> Term {
        let n = self.below(13) as i64 - 6;
        match sort {
            Sort::Int => Term::int(n),
            _ => Term::real(logic::fol::Rational::new(n.into(), (1 + self.below(3) as i64).into())),
        }
    }

    fn number(&mut self, sort: &Sort, depth: usize) -> Term {
        if depth == 0 || self.below(4) == 0 {
            return if self.below(4) == 0 {
                self.numeral(sort)
            } else if *sort == Sort::Int {
                self.constant(&["x", "y", "z", "w"], sort)
            } else {
                self.constant(&["r", "s", "t"], sort)
            };
        }
        let depth = depth - 1;
        match self.below(8) {
            0 | 1 => self.number(sort, depth).plus(&self.number(sort, depth)),
            2 => self.number(sort, depth).minus(&self.number(sort, depth)),
            3 => self.numeral(sort).times(&self.number(sort, depth)),
            4 => Term::ite(&self.comparison(sort, 0), &self.number(sort, depth), &self.number(sort, depth)),
            _ => self.special(sort, depth),
        }
    }

    /// A number that the theory has to say something about.
    fn special(&mut self, sort: &Sort, depth: usize) -> Term {
        let theory = self.theory;
        match theory {
            Theory::Functions => {
                let (a, b) = (self.number(sort, depth), self.number(sort, depth));
                match self.below(2) {
                    0 => Symbol::function("f", vec![Sort::Int], Sort::Int).apply([a]),
                    _ => Symbol::function("g", vec![Sort::Int, Sort::Int], Sort::Int).apply([a, b]),
                }
            }
            Theory::Arrays | Theory::Quantified => match self.below(4) {
                0 if self.theory == Theory::Arrays => {
                    let sort = Sort::array(Sort::Int, Sort::Int);
                    Symbol::function("sum", vec![sort], Sort::Int).apply([self.array(depth)])
                }
                _ => self.array(depth).select(&self.number(&Sort::Int, depth)),
            },
            Theory::Reals if *sort == Sort::Int => Term::of(Op::ToInt, [self.number(&Sort::Real, depth)]),
            Theory::Reals => Term::of(Op::ToReal, [self.number(&Sort::Int, depth)]),
            Theory::Division => {
                let divisor = Term::int(self.pick(&[2, 3, 5, -2, -3, 0]));
                Term::of(self.pick(&[Op::Div, Op::Mod]), [self.number(sort, depth), divisor])
            }
            Theory::Data => match self.below(2) {
                0 => self.list(depth).field(1, 0),
                _ => self.pair(depth).field(0, self.below(2)),
            },
            Theory::Queues | Theory::Lists => match self.below(2) {
                0 => self.queue(depth).length(),
                _ => self.queue(depth).head(),
            },
            _ => self.number(sort, depth).minus(&self.numeral(sort).times(&self.number(sort, depth))),
        }
    }

    fn array(&mut self, depth: usize) -> Term {
        let sort = Sort::array(Sort::Int, Sort::Int);
        if depth == 0 || self.below(2) == 0 {
            return match self.below(8) {
                0 if self.theory == Theory::Arrays => {
                    Term::of(Op::ConstArray(sort), [self.numeral(&Sort::Int)])
                }
                _ => self.constant(&["a", "b", "c"], &sort),
            };
        }
        self.array(depth - 1).store(&self.number(&Sort::Int, depth - 1), &self.number(&Sort::Int, depth - 1))
    }

    fn element(&mut self, depth: usize) -> Term {
        let sort = Sort::opaque("U");
        if depth == 0 || self.below(3) == 0 {
            return self.constant(&["u", "v", "k"], &sort);
        }
        let arguments = [self.element(depth - 1), self.element(depth - 1)];
        match self.below(3) {
            0 => Symbol::function("h", vec![sort.clone(), sort.clone()], sort).apply(arguments),
            1 => Term::ite(&arguments[0].equals(&arguments[1]), &self.element(0), &arguments[1]),
            _ => Symbol::function("e", vec![sort.clone()], sort).apply([arguments[0].clone()]),
        }
    }

    fn bits(&mut self, depth: usize) -> Term {
        let sort = Sort::Bits(4);
        if depth == 0 || self.below(4) == 0 {
            return match self.below(3) {
                0 => Term::of(Op::Bits((self.below(16) as u32).into(), 4), []),
                _ => self.constant(&["m", "n", "o"], &sort),
            };
        }
        let binary = [
            Op::BitAnd,
            Op::BitOr,
            Op::BitXor,
            Op::BitAdd,
            Op::BitSubtract,
            Op::BitMultiply,
            Op::BitDivide,
            Op::BitRemainder,
            Op::ShiftLeft,
            Op::ShiftRight,
            Op::ArithmeticShiftRight,
        ];
        let (a, b) = (self.bits(depth - 1), self.bits(depth - 1));
        match self.below(8) {
            0 => Term::of(self.pick(&[Op::BitNot, Op::BitNegate]), [a]),
            1 => Term::of(Op::Concat, [Term::of(Op::Extract(3, 2), [a]), Term::of(Op::Extract(2, 1), [b])]),
            2 => {
                let op = self.pick(&[Op::ZeroExtend(2), Op::SignExtend(2)]);
                Term::of(op, [Term::of(Op::Extract(2, 1), [a])])
            }
            3 => Symbol::function("q", vec![sort.clone()], sort).apply([a]),
            _ => Term::of(self.pick(&binary), [a, b]),
        }
    }

    fn list(&mut self, depth: usize) -> Term {
        let sort = Sort::list("L", Sort::Int);
        if depth == 0 || self.below(3) == 0 {
            return match self.below(4) {
                0 => Term::construct(&sort, 0, []),
                _ => self.constant(&["l1", "l2"], &sort),
            };
        }
        match self.below(2) {
            0 => Term::construct(&sort, 1, [self.number(&Sort::Int, depth - 1), self.list(depth - 1)]),
            _ => self.list(depth - 1).field(1, 1),
        }
    }

    fn colour(&mut self) -> Term {
        let sort = Sort::enumeration("Colour", &["red", "green", "blue"]);
        match self.below(2) {
            0 => Term::construct(&sort, self.below(3), []),
            _ => self.constant(&["c1", "c2", "c3", "c4"], &sort),
        }
    }

    fn pair(&mut self, depth: usize) -> Term {
        let fields = [("first", Sort::Int), ("second", Sort::Int)];
        let fields = fields.map(|(name, sort)| (name.into(), sort)).to_vec();
        let sort = Sort::data("Pair", vec![Constructor { name: "pair".into(), fields }]);
        match self.below(3) {
            0 if depth > 0 => {
                self.pair(depth - 1).with_field(self.below(2), &self.number(&Sort::Int, depth - 1))
            }
            1 => Term::construct(&sort, 0, [self.number(&Sort::Int, 0), self.number(&Sort::Int, 0)]),
            _ => self.constant(&["p1", "p2"], &sort),
        }
    }

    fn queue(&mut self, depth: usize) -> Term {
        let sort = Sort::sequence(Sort::Int);
        if depth == 0 || self.below(3) == 0 {
            return match self.below(5) {
                0 => Term::of(Op::Empty(Sort::Int), []),
                _ => self.constant(&["q1", "q2"], &sort),
            };
        }
        match self.below(if self.theory == Theory::Lists { 3 } else { 2 }) {
            2 => self.queue(depth - 1).prepend(&self.number(&Sort::Int, depth - 1)),
            0 => self.queue(depth - 1).append(&self.number(&Sort::Int, depth - 1)),
            _ => self.queue(depth - 1).tail(),
        }
    }
}
