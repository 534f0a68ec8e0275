//! Linear temporal logic.
//!
//! * [`formula`]: formulas, future and past, generic in their atoms.
//! * [`word`]: infinite words as lassos.
//! * [`semantics`]: what a formula means on a lasso; the definition that everything else is tested
//!   against.
//! * [`normal`]: negation normal form.
//! * [`implication`]: cheap tests of what follows from what.
//! * [`simplify`]: smaller formulas of the same meaning.
//! * [`syntax`]: the three concrete syntaxes, in and out; [`codes`] explains their diagnostics.
//! * [`classify`]: safety, liveness and the other classes, stutter invariance, witness words.

pub mod classify;
pub mod codes;
pub mod formula;
pub mod implication;
pub mod normal;
#[cfg(test)]
#[path = "../tests/support/random.rs"]
pub(crate) mod random;
pub mod semantics;
pub mod simplify;
pub mod syntax;
pub mod word;

pub use formula::{Binary, Formula, Unary};
pub use syntax::Syntax;
pub use word::Lasso;
