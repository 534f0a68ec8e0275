//! What kind of property a formula is, and which words satisfy it.
//!
//! The classes are those of Manna and Pnueli ("A hierarchy of temporal properties", 1990), of the
//! language and not of the text:
//!
//! | class | what it says | holds of | decided by |
//! |---|---|---|---|
//! | safety | nothing bad happens | `G p`, `p W q` | nothing of the negation is in the closure |
//! | guarantee | something good happens | `F p`, `p U q` | the negation is safety |
//! | obligation | a combination of both | `F p -> F q` | recurrence and persistence |
//! | recurrence | again and again | `G F p`, `G (p -> F q)` | the negation is persistence |
//! | persistence | from some time on always | `F G p` | the weakening has none of the negation |
//! | reactivity | a combination of both | `G F p -> G F q` | always |
//!
//! Liveness stands beside them: every finite word can be continued to one that satisfies the
//! formula. A formula that is stutter-invariant does not count steps. Every answer is exact; where
//! an automaton would become too large there is none.

use super::{Formula, Lasso, Unary};
use crate::automata::stutter::meet_by_stuttering;
use crate::automata::topology::{closure, is_universal, weakened};
use crate::automata::{Automaton, TooLarge, intersects, translate};

/// The class of a property: the smallest, where safety and guarantee, recurrence and persistence
/// are not comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Both safety and guarantee: decided after finitely many steps, however they go.
    Bounded,
    /// A violation shows in a finite prefix.
    Safety,
    /// Satisfaction shows in a finite prefix.
    Guarantee,
    /// A Boolean combination of safety and guarantee.
    Obligation,
    /// Something happens infinitely often.
    Recurrence,
    /// Something is eventually always so.
    Persistence,
    /// A Boolean combination of recurrence and persistence: any formula.
    Reactivity,
}

impl Class {
    /// Is every property of this class one of the other?
    pub fn is_within(self, other: Class) -> bool {
        let [safety, guarantee, recurrence, persistence] = self.memberships();
        match other {
            Class::Bounded => safety && guarantee,
            Class::Safety => safety,
            Class::Guarantee => guarantee,
            Class::Obligation => recurrence && persistence,
            Class::Recurrence => recurrence,
            Class::Persistence => persistence,
            Class::Reactivity => true,
        }
    }

    /// Is it safety, guarantee, recurrence, persistence?
    fn memberships(self) -> [bool; 4] {
        match self {
            Class::Bounded => [true, true, true, true],
            Class::Safety => [true, false, true, true],
            Class::Guarantee => [false, true, true, true],
            Class::Obligation => [false, false, true, true],
            Class::Recurrence => [false, false, true, false],
            Class::Persistence => [false, false, false, true],
            Class::Reactivity => [false; 4],
        }
    }

    /// What the class is called.
    pub fn name(self) -> &'static str {
        match self {
            Class::Bounded => "safety and guarantee",
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Recurrence => "recurrence",
            Class::Persistence => "persistence",
            Class::Reactivity => "reactivity",
        }
    }
}

/// A formula as two automata: of the words that satisfy it, and of the others.
#[derive(Clone, Debug)]
pub struct Language {
    /// The words that satisfy the formula.
    pub words: Automaton,
    /// The words that do not.
    pub others: Automaton,
    /// Its text has nothing that counts steps.
    stepless: bool,
}

impl Language {
    /// The two automata of a formula.
    pub fn of(formula: &Formula<usize>) -> Result<Language, TooLarge> {
        let others = translate(&Formula::negation(formula.clone()))?;
        Ok(Language { words: translate(formula)?, others, stepless: is_stepless(formula) })
    }

    /// A word that satisfies the formula.
    pub fn witness(&self) -> Option<Lasso<u64>> {
        self.words.witness()
    }

    /// A word that does not.
    pub fn counterexample(&self) -> Option<Lasso<u64>> {
        self.others.witness()
    }

    /// A word that satisfies one of the formulas and not the other.
    pub fn difference(&self, other: &Language) -> Result<Option<Lasso<u64>>, TooLarge> {
        Ok(intersects(&self.words, &other.others)?.or(intersects(&self.others, &other.words)?))
    }

    /// Whether the formula is a safety property.
    pub fn is_safety(&self) -> Result<bool, TooLarge> {
        is_safety(&self.words, &self.others)
    }

    /// Whether the formula is a guarantee property.
    pub fn is_guarantee(&self) -> Result<bool, TooLarge> {
        is_safety(&self.others, &self.words)
    }

    /// Whether the formula is a persistence property.
    pub fn is_persistence(&self) -> Result<bool, TooLarge> {
        is_persistence(&self.words, &self.others)
    }

    /// Whether the formula is a recurrence property.
    pub fn is_recurrence(&self) -> Result<bool, TooLarge> {
        is_persistence(&self.others, &self.words)
    }

    /// The lowest class of the hierarchy that the formula is in.
    pub fn class(&self) -> Result<Class, TooLarge> {
        Ok(match (self.is_safety()?, self.is_guarantee()?) {
            (true, true) => Class::Bounded,
            (true, false) => Class::Safety,
            (false, true) => Class::Guarantee,
            (false, false) => match (self.is_recurrence()?, self.is_persistence()?) {
                (true, true) => Class::Obligation,
                (true, false) => Class::Recurrence,
                (false, true) => Class::Persistence,
                (false, false) => Class::Reactivity,
            },
        })
    }

    /// Can every finite word be continued to one that satisfies the formula?
    pub fn is_liveness(&self) -> Result<bool, TooLarge> {
        is_universal(&closure(&self.words)?)
    }

    /// Does repeating a letter, or leaving out repetitions, never matter?
    pub fn is_stutter_invariant(&self) -> Result<bool, TooLarge> {
        Ok(self.stepless || !meet_by_stuttering(&self.words, &self.others)?)
    }
}

fn is_safety(words: &Automaton, others: &Automaton) -> Result<bool, TooLarge> {
    Ok(intersects(&closure(words)?, others)?.is_none())
}

fn is_persistence(words: &Automaton, others: &Automaton) -> Result<bool, TooLarge> {
    Ok(intersects(&weakened(words)?, others)?.is_none())
}

/// Has the formula no X, Y or Z? Then it is stutter-invariant.
pub fn is_stepless<A>(formula: &Formula<A>) -> bool {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => true,
        Formula::Unary(Unary::Next | Unary::Previous | Unary::WeakPrevious, _) => false,
        Formula::Unary(_, a) => is_stepless(a),
        Formula::Binary(_, a, b) => is_stepless(a) && is_stepless(b),
    }
}
