//! Sorts and terms: the first-order language every part of Everyweave shares.
//!
//! A term is generic in its atoms: in a system an atom is a place that can be read ([`Term<V>`]
//! with `V = system::Read`). Integers are unbounded; a finite machine type is an explicit
//! [`Term::Wrap`], so that a reader of formulas and a compiler of bytes see the same arithmetic.
//! Truth is C's: zero is false, everything else true, and a comparison yields 0 or 1.
//!
//! ```
//! use logic::ltl::classify::{Class, Language};
//! use logic::ltl::{Formula, Unary};
//!
//! let always = Formula::unary(Unary::Always, Formula::Atom(0));
//! assert_eq!(Language::of(&always).unwrap().class().unwrap(), Class::Safety);
//! ```
#![warn(missing_docs)]

#[cfg(test)]
extern crate self as logic;

mod arithmetic;
pub mod automata;
mod components;
pub mod fol;
pub mod ltl;
pub mod random;
mod sort;
mod term;

pub use arithmetic::{ArithmeticError, apply_binary, apply_unary, wrapped_binary, wrapped_unary};
pub use components::Components;
pub use sort::{IntType, Sort};
pub use term::{Binary, Term, Unary};
