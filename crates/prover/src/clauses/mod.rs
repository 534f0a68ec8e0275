//! Invariants over one and two process indices, found from the property: clauses that hold in all
//! states of small instances and exclude what would break the induction.
//!
//! A step from a state that satisfies everything found so far to one that does not is a
//! countermodel to induction. If the property holds, its first state is not reachable, and with
//! luck some few of its literals, about a process or two, occur together in no state of the
//! instances N = 1, 2, 3, … That they never do becomes a clause, `Forall i, j. i != j --> ~(…)`,
//! and has to be inductive as well. This is the generalization of property-directed search with
//! diagrams (Karbyshev, Bjørner, Itzhaky, Rinetzky, Shoham: *Property-directed inference of
//! universal invariants*), with seen states in place of frames; so a clause that is chosen is never
//! taken back. Nothing found is trusted: all of it is proved to be inductive for every N.

mod atoms;
mod rows;

use crate::condition::{Condition, Lemma, moves};
use crate::discharge::{Judge, OUT_OF_TIME, Obligation};
use crate::strengthen::Attempt;
use atoms::Words;
use logic::fol::{Binder, Op, Term};
pub use rows::Seen;
use rows::{Literal, Rows, rows_of};
use solve::{Answer, Model};
use system::fts::Evidence;

/// Clauses of one proof.
const CLAUSES: usize = 60;
/// Initial states that are looked at for one clause.
const INITIAL: usize = 40;

/// Proves `[] p`.
pub fn clauses(judge: &Judge<'_>, p: &Term, background: &[Lemma]) -> Attempt {
    let words = Words::of(judge.fts, p);
    let Some(rows) = Rows::of((judge.fts, judge.seen), &words, p, &|| judge.is_over()) else {
        return Attempt::given_up("no state of a small instance could be looked at");
    };
    let mut search = Search { judge, background, words, rows, parts: p.conjuncts(), obligations: Vec::new() };
    match search.run() {
        Ok(()) => {
            let found = Term::all(search.parts);
            let attempt = Attempt::of(search.obligations).by(Evidence::Inductive(vec![found.clone()]));
            Attempt { invariant: Some(found), ..attempt }
        }
        Err(why) => Attempt::given_up(if judge.is_over() { OUT_OF_TIME } else { why }),
    }
}

struct Search<'a> {
    judge: &'a Judge<'a>,
    background: &'a [Lemma],
    words: Words,
    rows: Rows,
    /// The conjuncts of the property, then the clauses.
    parts: Vec<Term>,
    obligations: Vec<Obligation>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), &'static str> {
        let mut at = 0;
        while let Some(part) = self.parts.get(at).cloned() {
            at += 1;
            let first = self.judge.fts.initial.clone();
            let theta = Condition::implication("Theta", first, part.clone(), self.background);
            self.proved(&theta)?;
            for transition in moves(self.judge.fts) {
                self.kept(&part, &transition)?;
            }
        }
        Ok(())
    }

    /// Adds clauses until a step keeps a part.
    fn kept(&mut self, part: &Term, transition: &system::fts::Transition) -> Result<(), &'static str> {
        loop {
            if self.judge.is_over() {
                return Err(OUT_OF_TIME);
            }
            let all = Term::all(self.parts.iter().cloned());
            let condition = Condition::triple(&all, transition, part, self.background);
            match self.judge.answer(&condition) {
                Answer::Valid { .. } => {
                    self.note(&condition);
                    return Ok(());
                }
                Answer::Unknown { .. } => return Err("a step is not decided"),
                Answer::Invalid { model } => {
                    let clause =
                        self.excluding(&model).ok_or("no clause over two processes excludes some step")?;
                    if self.parts.len() > CLAUSES || self.parts.contains(&clause) {
                        return Err("too many clauses");
                    }
                    self.parts.push(clause);
                }
            }
        }
    }

    fn proved(&mut self, condition: &Condition) -> Result<(), &'static str> {
        if !self.judge.is_valid(condition) {
            return Err("a clause that is seen everywhere does not hold initially");
        }
        self.note(condition);
        Ok(())
    }

    fn note(&mut self, condition: &Condition) {
        self.obligations.push(self.judge.noted("Clauses", condition));
    }

    /// A clause that holds in all states that were seen, and is false in a model. If it is false in
    /// an initial state, that one is seen from now on, and another clause is chosen.
    fn excluding(&mut self, model: &Model) -> Option<Term> {
        let rows = rows_of(&self.words, model);
        for _ in 0..INITIAL {
            let cost = |literal: Literal| self.cost(literal);
            let cubes = rows.iter().filter_map(|row| self.rows.unseen(row, &cost));
            let (_, cube) = cubes.min_by_key(|(cost, _)| *cost)?;
            let clause = self.clause(&cube);
            let first = self.judge.fts.initial.clone();
            let theta = Condition::implication("Theta", first, clause.clone(), self.background);
            match self.judge.answer(&theta) {
                Answer::Invalid { model } => self.rows.note(rows_of(&self.words, &*model)),
                _ => return Some(clause),
            }
        }
        None
    }

    /// Short positive literals that the program writes are preferred.
    fn cost(&self, (atom, value): Literal) -> usize {
        let term = &self.words.atoms[atom];
        let op = match term.op() {
            Op::Quantified(..) => 4,
            Op::Less | Op::LessEqual => 2,
            _ => 1,
        };
        op + usize::from(!value)
    }

    /// That the literals of a cube are never true together.
    fn clause(&self, cube: &[Literal]) -> Term {
        let [i, j] = &self.words.indices;
        let literal = |(atom, value): &Literal| {
            let atom = self.words.atoms[*atom].clone();
            if *value { atom } else { Term::negation(atom) }
        };
        let never = Term::negation(Term::all(cube.iter().map(literal)));
        let symbols = never.symbols();
        let has = [i, j].map(|s| symbols.contains_key(&s.name));
        let Some((low, high)) = &self.words.range else { return never };
        let binder =
            |s: &logic::fol::Symbol| Binder { symbol: s.clone(), range: Some((low.clone(), high.clone())) };
        match has {
            [false, false] => never,
            [true, false] => Term::every(vec![binder(i)], never),
            [false, true] => {
                let renamed = never.substitute(&|s| (s == j).then(|| i.term()));
                Term::every(vec![binder(i)], renamed)
            }
            [true, true] => {
                let same = Term::eq(i.term(), j.term());
                Term::every(vec![binder(i), binder(j)], Term::any([same, never]))
            }
        }
    }
}
