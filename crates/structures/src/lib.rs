//! Predicates and actions: systems of any number of individuals, described and executed on plain
//! values.
//!
//! * [`vocabulary`], [`formula`], [`kleene`]: predicates, formulas over them, the three truth
//!   values.
//! * [`action`], [`constraint`], [`model`]: what a step does, what is required of every state, a
//!   whole description.
//! * [`syntax`]: formulas as text, as every language of this crate writes them; [`codes`] explains
//!   what can be wrong with them.
//! * [`structure`]: a three-valued structure as bits. [`evaluate`]: the value of a formula in it.
//!   [`embed`]: which states it stands for, by definition.
//! * [`race`]: data races as states. [`transient`], [`newcomer`]: which steps and individuals
//!   formulas do not see.
//! * [`concrete`], `canonical`: two-valued states, steps, the canonical form. [`written`]: as
//!   text. [`mod@reference`]: the meaning of a model over them.
//!
//! ```
//! use structures::kleene::Kleene;
//!
//! // What holds in one state and not in another may hold in what stands for both.
//! let (yes, no) = (Kleene::new(true, true), Kleene::new(false, false));
//! let both = yes.join(no);
//! assert!(both.may() && !both.must() && !both.is_definite());
//! ```

#![warn(missing_docs)]

pub mod action;
mod canonical;
pub mod codes;
pub mod concrete;
pub mod constraint;
pub mod embed;
pub mod evaluate;
pub mod formula;
pub mod kleene;
pub mod model;
pub mod newcomer;
pub mod race;
pub mod reference;
pub mod structure;
pub mod syntax;
pub mod transient;
pub mod vocabulary;
pub mod written;
