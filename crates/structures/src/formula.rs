//! First-order formulas with transitive closure over the predicates of a vocabulary.
//!
//! Variables are numbers below 64. A quantifier knows the free variables of its body, so evaluation
//! can choose the variable over which it runs in parallel. Constructors simplify constants; nothing
//! else is ever simplified.

use crate::kleene::Kleene;
use crate::vocabulary::{Symbol, Vocabulary};
use std::collections::BTreeSet;

/// A variable of a formula, below [`VARIABLES`].
pub type Var = u8;

/// How many variables fit in one formula.
pub const VARIABLES: usize = 64;

/// First-order logic with transitive closure, in three values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// A truth value.
    Constant(Kleene),
    /// Unused arguments are 0.
    Atom(Symbol, [Var; 2]),
    /// Whether two variables stand for the same individual.
    Equal(Var, Var),
    /// Negation: 1/2 stays 1/2.
    Not(Box<Formula>),
    /// The least value of the parts; true without any.
    And(Vec<Formula>),
    /// The greatest value of the parts; false without any.
    Or(Vec<Formula>),
    /// Of some individual.
    Exists(Var, Box<Bound>),
    /// Of every individual.
    Forall(Var, Box<Bound>),
    /// Transitive closure.
    Closure(Box<Closure>),
    /// The second if the first holds, else the third.
    If(Box<[Formula; 3]>),
}

/// A formula under a quantifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound {
    /// The free variables of the body, as bits.
    pub free: u64,
    /// What is quantified.
    pub body: Formula,
}

/// A way of at least one step leads from `from` to `to`; `body` says what a step from `x` to `y`
/// is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Closure {
    /// Where the path begins.
    pub from: Var,
    /// Where it ends.
    pub to: Var,
    /// Stands for the source of a step in `body`.
    pub x: Var,
    /// Stands for the target of a step in `body`.
    pub y: Var,
    /// The free variables of the body besides `x` and `y`, as bits.
    pub free: u64,
    /// What a step is.
    pub body: Formula,
}

/// Holds in every state.
pub const TRUE: Formula = Formula::Constant(Kleene::True);
/// Holds in no state.
pub const FALSE: Formula = Formula::Constant(Kleene::False);
/// 1/2 in every state.
pub const UNKNOWN: Formula = Formula::Constant(Kleene::Half);

/// That a predicate holds of these variables.
pub fn atom(symbol: Symbol, arguments: &[Var]) -> Formula {
    let mut padded = [0; 2];
    padded[..arguments.len()].copy_from_slice(arguments);
    Formula::Atom(symbol, padded)
}

/// That two variables stand for the same individual.
pub fn equal(a: Var, b: Var) -> Formula {
    Formula::Equal(a, b)
}

/// That two variables stand for different individuals.
pub fn differ(a: Var, b: Var) -> Formula {
    not(equal(a, b))
}

/// The negation; of a negation, what is negated.
pub fn not(f: Formula) -> Formula {
    match f {
        Formula::Constant(value) => Formula::Constant(!value),
        Formula::Not(inner) => *inner,
        other => Formula::Not(Box::new(other)),
    }
}

/// The conjunction, flat and without 0 and 1.
pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Formula::Constant(Kleene::False) => return FALSE,
            Formula::Constant(Kleene::True) => {}
            Formula::And(more) => flat.extend(more),
            other => flat.push(other),
        }
    }
    single(flat, TRUE, Formula::And)
}

/// The disjunction, flat and without 0 and 1.
pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Formula::Constant(Kleene::True) => return TRUE,
            Formula::Constant(Kleene::False) => {}
            Formula::Or(more) => flat.extend(more),
            other => flat.push(other),
        }
    }
    single(flat, FALSE, Formula::Or)
}

fn single(mut parts: Vec<Formula>, none: Formula, many: fn(Vec<Formula>) -> Formula) -> Formula {
    match parts.len() {
        0 => none,
        1 => parts.swap_remove(0),
        _ => many(parts),
    }
}

/// Without a sign of its own: `!a | b`.
pub fn implies(a: Formula, b: Formula) -> Formula {
    or([not(a), b])
}

/// That the body holds of some individual.
pub fn exists(v: Var, body: Formula) -> Formula {
    match body {
        Formula::Constant(Kleene::False) => FALSE,
        body => Formula::Exists(v, Box::new(Bound { free: body.free(), body })),
    }
}

/// That the body holds of every individual.
pub fn forall(v: Var, body: Formula) -> Formula {
    match body {
        Formula::Constant(Kleene::True) => TRUE,
        body => Formula::Forall(v, Box::new(Bound { free: body.free(), body })),
    }
}

/// The transitive closure of `body`, a formula about a step from `x` to `y`, from `from` to `to`.
pub fn closure(from: Var, to: Var, x: Var, y: Var, body: Formula) -> Formula {
    let free = body.free() & !bit(x) & !bit(y);
    Formula::Closure(Box::new(Closure { from, to, x, y, free, body }))
}

/// With no steps too.
pub(crate) fn reflexive_closure(from: Var, to: Var, x: Var, y: Var, body: Formula) -> Formula {
    or([equal(from, to), closure(from, to, x, y, body)])
}

/// `then` where the condition holds, else `otherwise`.
pub fn choose(condition: Formula, then: Formula, otherwise: Formula) -> Formula {
    match condition {
        Formula::Constant(Kleene::True) => then,
        Formula::Constant(Kleene::False) => otherwise,
        condition => Formula::If(Box::new([condition, then, otherwise])),
    }
}

/// Variables beyond the last bit are refused where formulas come in; here they must only not panic.
fn bit(v: Var) -> u64 {
    1_u64.checked_shl(u32::from(v)).unwrap_or(0)
}

impl Formula {
    /// The formulas that it joins; none of an atom or under a quantifier.
    pub fn parts(&self) -> &[Formula] {
        match self {
            Formula::Not(f) => std::slice::from_ref(f),
            Formula::And(parts) | Formula::Or(parts) => parts,
            Formula::If(parts) => &parts[..],
            _ => &[],
        }
    }

    /// Without its negation, and whether it has none.
    pub fn signed(&self) -> (bool, &Formula) {
        match self {
            Formula::Not(inner) => (false, inner),
            other => (true, other),
        }
    }

    /// The free variables, as bits.
    pub fn free(&self) -> u64 {
        match self {
            Formula::Constant(_) => 0,
            Formula::Atom(symbol, arguments) => {
                arguments[..symbol.arity()].iter().fold(0, |free, v| free | bit(*v))
            }
            Formula::Equal(a, b) => bit(*a) | bit(*b),
            Formula::Exists(v, bound) | Formula::Forall(v, bound) => bound.free & !bit(*v),
            Formula::Closure(c) => bit(c.from) | bit(c.to) | c.free,
            _ => self.parts().iter().fold(0, |free, f| free | f.free()),
        }
    }

    /// The predicates it speaks of; equality speaks of `sm`.
    pub fn symbols(&self, found: &mut BTreeSet<Symbol>) {
        match self {
            Formula::Constant(_) => {}
            Formula::Atom(symbol, _) => drop(found.insert(*symbol)),
            Formula::Equal(..) => drop(found.insert(crate::vocabulary::SUMMARY)),
            Formula::Exists(_, bound) | Formula::Forall(_, bound) => bound.body.symbols(found),
            Formula::Closure(c) => c.body.symbols(found),
            _ => self.parts().iter().for_each(|f| f.symbols(found)),
        }
    }

    /// Above every variable in it, bound ones included.
    pub fn above(&self) -> Var {
        match self {
            Formula::Constant(_) => 0,
            Formula::Atom(symbol, a) => a[..symbol.arity()].iter().map(|v| v + 1).max().unwrap_or(0),
            Formula::Equal(a, b) => a.max(b) + 1,
            Formula::Exists(v, bound) | Formula::Forall(v, bound) => bound.body.above().max(v + 1),
            Formula::Closure(c) => {
                let own = [c.from, c.to, c.x, c.y].into_iter().max().unwrap_or(0) + 1;
                c.body.above().max(own)
            }
            _ => self.parts().iter().map(Formula::above).max().unwrap_or(0),
        }
    }

    /// The formula with free variables replaced as `to` says; bound ones are numbered from `next`
    /// on by their depth, which must be above every variable that `to` answers.
    pub fn rename(&self, to: &dyn Fn(Var) -> Var, next: Var) -> Formula {
        self.replace(to, next, &mut |symbol, arguments, _| atom(symbol, arguments))
    }

    /// Like `rename`, and every atom becomes what `atoms` makes of it, with its arguments renamed
    /// and the first number that is free there.
    pub fn replace(
        &self,
        to: &dyn Fn(Var) -> Var,
        next: Var,
        atoms: &mut dyn FnMut(Symbol, &[Var], Var) -> Formula,
    ) -> Formula {
        match self {
            Formula::Constant(value) => Formula::Constant(*value),
            Formula::Atom(symbol, a) => {
                let renamed = [to(a[0]), to(a[1])];
                atoms(*symbol, &renamed[..symbol.arity()], next)
            }
            Formula::Equal(a, b) => equal(to(*a), to(*b)),
            Formula::Not(f) => not(f.replace(to, next, atoms)),
            Formula::And(parts) => and(parts.iter().map(|f| f.replace(to, next, atoms)).collect::<Vec<_>>()),
            Formula::Or(parts) => or(parts.iter().map(|f| f.replace(to, next, atoms)).collect::<Vec<_>>()),
            Formula::Exists(v, bound) => {
                let inner = |old: Var| if old == *v { next } else { to(old) };
                exists(next, bound.body.replace(&inner, next + 1, atoms))
            }
            Formula::Forall(v, bound) => {
                let inner = |old: Var| if old == *v { next } else { to(old) };
                forall(next, bound.body.replace(&inner, next + 1, atoms))
            }
            Formula::Closure(c) => {
                let inner = |old: Var| match old {
                    old if old == c.x => next,
                    old if old == c.y => next + 1,
                    old => to(old),
                };
                closure(to(c.from), to(c.to), next, next + 1, c.body.replace(&inner, next + 2, atoms))
            }
            Formula::If(parts) => {
                let [a, b, c] = &**parts;
                choose(a.replace(to, next, atoms), b.replace(to, next, atoms), c.replace(to, next, atoms))
            }
        }
    }

    /// The parts of a conjunction; a formula that is none is its only part.
    pub fn conjuncts(&self) -> &[Formula] {
        match self {
            Formula::And(parts) => parts,
            Formula::Constant(Kleene::True) => &[],
            other => std::slice::from_ref(other),
        }
    }

    /// As it is written in a `.tvm` file; variables are `v0`, `v1` ….
    pub fn text(&self, vocabulary: &Vocabulary) -> String {
        let quantified = |word: &str, v: Var, f: &Formula| format!("({word} v{v}. {})", f.text(vocabulary));
        let joined = |parts: &[Formula], sign: &str| {
            let parts: Vec<String> = parts.iter().map(|f| f.text(vocabulary)).collect();
            format!("({})", parts.join(sign))
        };
        match self {
            Formula::Constant(value) => value.name().to_string(),
            Formula::Atom(symbol, a) => {
                let arguments: Vec<String> = a[..symbol.arity()].iter().map(|v| format!("v{v}")).collect();
                format!("{}({})", vocabulary.name(*symbol), arguments.join(", "))
            }
            Formula::Equal(a, b) => format!("v{a} == v{b}"),
            Formula::Not(f) => match &**f {
                Formula::Equal(a, b) => format!("v{a} != v{b}"),
                f => format!("!{}", f.text(vocabulary)),
            },
            Formula::And(parts) => joined(parts, " & "),
            Formula::Or(parts) => joined(parts, " | "),
            Formula::Exists(v, bound) => quantified("exists", *v, &bound.body),
            Formula::Forall(v, bound) => quantified("forall", *v, &bound.body),
            Formula::Closure(c) => {
                format!("tc(v{}, v{})(v{}, v{} : {})", c.from, c.to, c.x, c.y, c.body.text(vocabulary))
            }
            Formula::If(parts) => {
                let [a, b, c] = &**parts;
                format!("({} ? {} : {})", a.text(vocabulary), b.text(vocabulary), c.text(vocabulary))
            }
        }
    }
}
