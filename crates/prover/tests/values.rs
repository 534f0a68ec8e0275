//! What a formula is worth: what the evaluator finds without a model, it finds in every model, and
//! the solver finds nothing else, on random terms over numbers, lists and datatypes.

use logic::fol::{Constructor, Datatype, Op, Sort, Term, holds};
use solve::{Answer, Embedded, Model, Options, Solver};
use std::sync::Arc;
use system::fts::step::Valuation;

struct Random(logic::random::Random);

fn tree() -> Sort {
    let fields = |names: &[(&str, Sort)]| names.iter().map(|(n, s)| (Arc::from(*n), s.clone())).collect();
    let node = fields(&[("left", Sort::Itself), ("key", Sort::Int), ("right", Sort::Itself)]);
    let mark = fields(&[("flag", Sort::Bool), ("items", list())]);
    Sort::Data(Arc::new(Datatype {
        name: "tree".into(),
        constructors: vec![
            Constructor { name: "leaf".into(), fields: Vec::new() },
            Constructor { name: "node".into(), fields: node },
            Constructor { name: "mark".into(), fields: mark },
        ],
    }))
}

fn list() -> Sort {
    Sort::sequence(Sort::Int)
}

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn int(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return Term::int(self.below(5) as i64 - 2);
        }
        match self.below(7) {
            0 => self.int(depth - 1).plus(&self.int(depth - 1)),
            1 => Term::of(Op::Length, [self.list(depth - 1)]),
            2 => self.list(depth - 1).head(),
            3 => Term::of(Op::Nth, [self.list(depth - 1), self.int(depth - 1)]),
            4 => Term::of(Op::Field(1, 1), [self.tree(depth - 1)]),
            5 => Term::ite(&self.truth(depth - 1), &self.int(depth - 1), &self.int(depth - 1)),
            _ => self.int(0),
        }
    }

    fn list(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return Term::empty(Sort::Int);
        }
        match self.below(7) {
            0 | 1 => Term::of(Op::Prepend, [self.list(depth - 1), self.int(depth - 1)]),
            2 | 3 => Term::of(Op::Append, [self.list(depth - 1), self.int(depth - 1)]),
            4 => Term::of(Op::Tail, [self.list(depth - 1)]),
            5 => Term::of(Op::Field(2, 1), [self.tree(depth - 1)]),
            _ => self.list(0),
        }
    }

    fn tree(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return Term::construct(&tree(), 0, Vec::new());
        }
        match self.below(6) {
            0 | 1 => {
                let fields = vec![self.tree(depth - 1), self.int(depth - 1), self.tree(depth - 1)];
                Term::construct(&tree(), 1, fields)
            }
            2 => Term::construct(&tree(), 2, vec![self.truth(depth - 1), self.list(depth - 1)]),
            3 => Term::of(Op::Field(1, [0, 2][self.below(2)]), [self.tree(depth - 1)]),
            4 => Term::ite(&self.truth(depth - 1), &self.tree(depth - 1), &self.tree(depth - 1)),
            _ => self.tree(0),
        }
    }

    fn truth(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return Term::truth(self.below(2) == 0);
        }
        match self.below(6) {
            0 => Term::eq(self.list(depth - 1), self.list(depth - 1)),
            1 => Term::eq(self.tree(depth - 1), self.tree(depth - 1)),
            2 => Term::made_by(&self.tree(depth - 1), self.below(3)),
            3 => Term::lt(self.int(depth - 1), self.int(depth - 1)),
            4 => Term::negation(self.truth(depth - 1)),
            _ => Term::eq(self.truth(depth - 1), self.truth(depth - 1)),
        }
    }
}

#[test]
fn evaluators_agree_and_the_solver_with_them() {
    let mut random = Random(logic::random::Random::new(1));
    let (mut known, mut asked) = (0, 0);
    for _ in 0..8_000 {
        let e = random.truth(5);
        // Without a value here, the solver leaves it open there.
        let Some(here) = holds(&e, &Valuation::new()) else { continue };
        known += 1;
        assert_eq!(*e.sort(), Sort::Bool, "{e}");
        assert_eq!(holds(&e, &Model::default()), Some(here), "{e}");
        if known % 4 == 0 {
            asked += 1;
            let fact = if here { e.clone() } else { e.negated() };
            let answer = Embedded::default().check(&[], &fact, &Options::default());
            assert!(matches!(answer, Answer::Valid { .. }), "{e} is {here}, but {answer:?}");
        }
    }
    assert!(known > 1_500 && asked > 300, "{known} with a value, {asked} asked");
}
