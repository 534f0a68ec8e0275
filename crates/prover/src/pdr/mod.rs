//! Property-directed reachability: invariants found from the property alone (Bradley's IC3; Een,
//! Mishchenko, Brayton).
//!
//! Frames over-approximate what is reachable within a number of steps. A state of the last frame
//! that breaks the property, or leads to one that does, is generalized to a cube and shown to be
//! unreachable from the frame before, or followed back. Where two frames are equal an invariant is
//! found.
//!
//! States are infinitely many, so cubes are made of predicates (`predicates`) rather than values,
//! after Cimatti and others' IC3 with implicit abstraction. Where we deviate: the transition
//! relation is exact (guards and simultaneous updates are substituted, never unrolled), only the
//! cubes abstract; a path that reaches the beginning is executed symbolically (`path`), and if it
//! cannot be taken, the comparisons of its preconditions become predicates, which take it away for
//! good. What is found is proved again by plain conditions, whatever the caller.

mod frames;
mod path;
pub(crate) mod predicates;
pub(crate) mod steps;

use crate::condition::Lemma;
use crate::discharge::{Judge, OUT_OF_TIME};
use frames::Frames;
use logic::fol::Term;
pub use path::Counterexample;
use predicates::{Cube, Literal, Predicates};
use solve::{Answer, Assumption, Model};
use std::collections::BTreeSet;
use steps::Step;

/// What came of a search.
#[derive(Clone, Debug)]
pub enum Found {
    /// Assertions that are inductive together with the property.
    Invariant(Vec<Term>),
    /// A run to a state that breaks the property.
    Run(Counterexample),
    /// Neither, for a reason.
    Nothing(String),
}

/// How much may be done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Questions to the solver.
    pub queries: usize,
    /// Frames of the search.
    pub frames: usize,
    /// Predicates that states are abstracted by.
    pub predicates: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { queries: 20_000, frames: 60, predicates: 400 }
    }
}

/// Looks for an invariant that implies `p`, or for a run that breaks it.
pub fn search(judge: &Judge<'_>, p: &Term, background: &[Lemma], effort: Effort) -> Found {
    match Search::new(judge, p, background, effort).and_then(|mut search| search.run()) {
        Ok(found) => found,
        Err(GaveUp(reason)) => Found::Nothing(reason),
    }
}

/// Why the search ended without an answer.
struct GaveUp(String);

/// A cube that must not be reached, and how it leads to a bad state.
#[derive(Clone, Debug)]
struct Obligation {
    cube: Cube,
    /// The step to the cube of another proof obligation; none for states that are bad themselves.
    leads: Option<(usize, usize)>,
}

struct Search<'a> {
    judge: &'a Judge<'a>,
    effort: Effort,
    queries: usize,
    steps: Vec<Step>,
    bad: Term,
    /// What is true in every state: assumptions and background.
    always: Vec<Assumption>,
    predicates: Predicates,
    frames: Frames,
}

/// Whether a cube can be reached from a frame in one step.
enum Reached {
    /// Not, and these literals say why.
    Not(BTreeSet<Literal>),
    From(Box<Model>, usize),
}

impl<'a> Search<'a> {
    fn new(
        judge: &'a Judge<'a>,
        p: &Term,
        background: &[Lemma],
        effort: Effort,
    ) -> Result<Search<'a>, GaveUp> {
        let fts = judge.fts;
        let steps =
            steps::steps(fts).ok_or_else(|| GaveUp("the number of processes is not known".to_string()))?;
        let bad = Term::negation(p.clone());
        let everywhere = fts.assumptions.iter().chain(background.iter().map(|l| &l.formula));
        let always = everywhere.map(|e| Assumption::new("", e.clone())).collect();
        Ok(Search {
            judge,
            effort,
            queries: 0,
            predicates: Predicates::new(judge, &steps, p),
            frames: Frames::default(),
            always,
            bad,
            steps,
        })
    }

    fn run(&mut self) -> Result<Found, GaveUp> {
        if let Some(run) = self.execute(&[])? {
            return Ok(Found::Run(run));
        }
        for last in 1..=self.effort.frames {
            self.frames.reach(last);
            let wrong = [self.bad.clone()];
            while let Some(model) = self.state(last, &wrong)? {
                let cube = self.weakened(&model, &wrong[0])?;
                if let Some(run) = self.block(Obligation { cube, leads: None }, last)? {
                    return Ok(Found::Run(run));
                }
            }
            if let Some(level) = self.propagate(last)? {
                return Ok(Found::Invariant(self.clauses(level)));
            }
        }
        Err(GaveUp("too many frames".to_string()))
    }

    /// Whether assumptions beside what always holds have a model; if not, which of them say so.
    fn consistent(&mut self, assumptions: &[Term]) -> Result<Result<Box<Model>, Vec<usize>>, GaveUp> {
        self.queries += 1;
        if self.queries > self.effort.queries {
            return Err(GaveUp("too many queries".to_string()));
        }
        if self.judge.is_over() {
            return Err(GaveUp(OUT_OF_TIME.to_string()));
        }
        let first = self.always.len();
        let mut all = self.always.clone();
        all.extend(assumptions.iter().map(|t| Assumption::new("", t.clone())));
        match self.judge.solver.check(&all, &Term::truth(false), self.judge.options) {
            Answer::Invalid { model } => Ok(Ok(model)),
            Answer::Valid { core } => {
                Ok(Err(core.into_iter().filter_map(|at| at.checked_sub(first)).collect()))
            }
            Answer::Unknown { reason } => Err(GaveUp(reason)),
        }
    }

    /// A state of a frame in which some formulas hold.
    fn state(&mut self, level: usize, formulas: &[Term]) -> Result<Option<Box<Model>>, GaveUp> {
        let mut all = self.frame(level);
        all.extend_from_slice(formulas);
        Ok(self.consistent(&all)?.ok())
    }

    fn frame(&self, level: usize) -> Vec<Term> {
        match level {
            0 => vec![self.judge.fts.initial.clone()],
            level => vec![Term::and(self.frames.from(level).map(|cube| self.clause(cube)))],
        }
    }

    /// That a state is outside of a cube.
    fn clause(&self, cube: &Cube) -> Term {
        Term::or(cube.iter().map(|(at, value)| self.predicates.formula((*at, !value))))
    }

    fn clauses(&self, level: usize) -> Vec<Term> {
        let clause = |cube: &Cube| {
            Term::any(
                cube.iter().map(|(at, value)| self.predicates.formula((*at, !value))).collect::<Vec<_>>(),
            )
        };
        self.frames.from(level).map(clause).collect()
    }

    /// The literals of a model that are enough for a formula to hold; all of them if they are not.
    fn weakened(&mut self, model: &Model, goal: &Term) -> Result<Cube, GaveUp> {
        let cube = self.predicates.cube(model);
        let mut all: Vec<Term> = cube.iter().map(|l| self.predicates.formula(*l)).collect();
        all.push(goal.negated());
        Ok(match self.consistent(&all)? {
            Err(core) => core.into_iter().filter_map(|at| cube.get(at).copied()).collect(),
            Ok(_) => cube,
        })
    }

    /// Shows that a cube is not reached, and all that lead to it; a run if one of them is.
    fn block(&mut self, first: Obligation, last: usize) -> Result<Option<Counterexample>, GaveUp> {
        let mut obligations = vec![first];
        let mut open = BTreeSet::from([(last, 0)]);
        while let Some((level, at)) = open.pop_first() {
            let cube = obligations[at].cube.clone();
            if self.begins(&cube)?.is_none() {
                if let Some(run) = self.execute(&way(&obligations, at))? {
                    return Ok(Some(run));
                }
                // New predicates: what was to be shown is stated anew.
                return Ok(None);
            }
            if self.frames.excludes(&cube, level) {
                if level < last {
                    open.insert((level + 1, at));
                }
                continue;
            }
            match self.reached(&cube, level - 1)? {
                Reached::From(model, step) => {
                    let cube = self.before(&model, step, &cube)?;
                    obligations.push(Obligation { cube, leads: Some((step, at)) });
                    open.insert((level - 1, obligations.len() - 1));
                    open.insert((level, at));
                }
                Reached::Not(core) => {
                    let smaller = self.generalized(&cube, core, level)?;
                    let highest = self.highest(&smaller, level, last)?;
                    self.frames.add(smaller, highest);
                    if highest < last {
                        open.insert((highest + 1, at));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The literals that keep a cube away from the initial states; none if there are initial states
    /// in it.
    fn begins(&mut self, cube: &[Literal]) -> Result<Option<Vec<Literal>>, GaveUp> {
        let mut all: Vec<Term> = cube.iter().map(|l| self.predicates.formula(*l)).collect();
        all.push(self.judge.fts.initial.clone());
        let answer = self.consistent(&all)?;
        Ok(answer.err().map(|core| core.into_iter().filter_map(|at| cube.get(at).copied()).collect()))
    }

    /// A predecessor as a cube, as large as it can be.
    fn before(&mut self, model: &Model, step: usize, cube: &[Literal]) -> Result<Cube, GaveUp> {
        let mut goal = vec![self.steps[step].guard.clone()];
        for literal in cube {
            goal.push(self.predicates.literal_after(step, &self.steps[step], *literal));
        }
        self.weakened(model, &Term::and(goal))
    }

    /// Whether a step leads from a frame, outside of the cube, into the cube.
    fn reached(&mut self, cube: &Cube, level: usize) -> Result<Reached, GaveUp> {
        let mut core = BTreeSet::new();
        let mut base = self.frame(level);
        base.push(self.clause(cube));
        for step in 0..self.steps.len() {
            match self.reached_by(cube, &base, step, &core)? {
                Ok(model) => return Ok(Reached::From(model, step)),
                Err(literals) => core.extend(literals),
            }
        }
        Ok(Reached::Not(core))
    }

    fn reached_by(
        &mut self,
        cube: &Cube,
        base: &[Term],
        step: usize,
        known: &BTreeSet<Literal>,
    ) -> Result<Result<Box<Model>, Vec<Literal>>, GaveUp> {
        let changes = |(at, _): &Literal| {
            self.predicates.all[*at].symbols.iter().any(|name| self.steps[step].changes(name))
        };
        // A step that changes nothing the cube speaks of does not lead into it.
        if !cube.iter().any(changes) {
            return Ok(Err(Vec::new()));
        }
        let mut after = Vec::new();
        let mut never = Vec::new();
        for literal in cube {
            let made = self.predicates.literal_after(step, &self.steps[step], *literal);
            if made.is_false() {
                never.push(*literal);
            }
            after.push(made);
        }
        if let Some(literal) = never.iter().find(|l| known.contains(l)).or(never.first()) {
            return Ok(Err(vec![*literal]));
        }
        let mut all = after;
        all.push(self.steps[step].guard.clone());
        all.extend_from_slice(base);
        let answer = self.consistent(&all)?;
        Ok(answer.map_err(|core| core.into_iter().filter_map(|at| cube.get(at).copied()).collect()))
    }

    /// A larger cube that is not reached either: literals that no proof needs go, then one after
    /// the other as long as it works.
    fn generalized(&mut self, cube: &Cube, core: BTreeSet<Literal>, level: usize) -> Result<Cube, GaveUp> {
        let mut kept = core;
        kept.extend(self.begins(cube)?.unwrap_or_default());
        for literal in cube {
            if kept.len() == 1 || !kept.contains(literal) {
                continue;
            }
            let fewer: Cube = kept.iter().copied().filter(|l| l != literal).collect();
            let Some(apart) = self.begins(&fewer)? else { continue };
            if let Reached::Not(core) = self.reached(&fewer, level - 1)? {
                kept = core;
                kept.extend(apart);
            }
        }
        Ok(kept.into_iter().collect())
    }

    /// The highest frame that a cube can be taken out of.
    fn highest(&mut self, cube: &Cube, level: usize, last: usize) -> Result<usize, GaveUp> {
        let mut level = level;
        while level < last && matches!(self.reached(cube, level)?, Reached::Not(_)) {
            level += 1;
        }
        Ok(level)
    }

    /// Moves clauses on to later frames; the frame that is equal to the one after it, if there is
    /// one.
    fn propagate(&mut self, last: usize) -> Result<Option<usize>, GaveUp> {
        for level in 1..=last {
            for cube in self.frames.exactly(level) {
                if let Reached::Not(_) = self.reached(&cube, level)? {
                    self.frames.raise(&cube, level);
                }
            }
            if self.frames.exactly(level).is_empty() {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}

/// The steps from a proof obligation to a bad state.
fn way(obligations: &[Obligation], from: usize) -> Vec<usize> {
    let mut at = from;
    let mut steps = Vec::new();
    while let Some((step, next)) = obligations[at].leads {
        steps.push(step);
        at = next;
    }
    steps
}
