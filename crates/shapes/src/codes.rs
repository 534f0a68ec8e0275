//! What each diagnostic code about the states of a model means.

use source::{Code, CodeTable};

/// Part of 09: integrity constraints, initial structures, focus.
pub const CODES: CodeTable = CodeTable(&[
    Code {
        code: "E0920",
        title: "an integrity constraint is violated",
        explanation:
            "Attributes, constraints and updates of derived predicates are assumed when abstract states are
sharpened: a state that contradicts one is discarded. A run with few individuals leads to a state
that does contradict it, so every answer would be worthless.

For example, with a lock that does not test whether it is free, `predicate held_by(l, t) function`
discards exactly the states with two holders, and mutual exclusion seems to hold. Remove the
constraint, or repair the action at the end of the run.",
    },
    Code {
        code: "E0921",
        title: "the initial structures represent no concrete state",
        explanation:
            "No initial structure has a concrete state behind it, with up to three individuals for its summary
nodes: its values contradict the constraints or the definitions of derived predicates.",
    },
    Code {
        code: "W0901",
        title: "focus is impossible here",
        explanation:
            "A binary predicate between two summary nodes cannot be made definite in finitely many cases. Its
value stays 1/2, which is sound and may make the answer *unknown*. Focus on one end first, for
instance on a unary predicate of it.",
    },
]);
