//! What each diagnostic code of `.tvm` means.

use source::{Code, CodeTable};

/// Part of 09: items. Those of the formulas in them are `structures::codes`.
pub const CODES: CodeTable = CodeTable(&[
    Code {
        code: "E0907",
        title: "declared twice",
        explanation: "Two predicates, actions or nodes have the same name. Rename one, or give it an index: `lock[a]`,
`lock[b]`.",
    },
    Code {
        code: "E0908",
        title: "too many arguments",
        explanation: "Predicates have no, one or two arguments. A relation between three individuals is written with an
individual for the tuple and three binary predicates.",
    },
    Code {
        code: "E0909",
        title: "attribute cannot be used",
        explanation: "Unary predicates can be `unique` and `nonabs`; binary ones `function`, `invfunction`, `symmetric`,
`antisymmetric`, `reflexive`, `antireflexive`, `transitive` and `acyclic`.",
    },
    Code {
        code: "E0910",
        title: "definition uses a predicate that is declared later",
        explanation: "A derived predicate is defined by predicates that are declared before it, so that each can be
computed from the others.",
    },
    Code {
        code: "E0911",
        title: "no initial structure",
        explanation: "A model needs at least one initial structure. A star marks a node that stands for one or more
individuals.

    initial { node t*: at[l1]; node l: is_lock }",
    },
    Code {
        code: "E0912",
        title: "constraint cannot be enforced",
        explanation: "After `=>` stands what can be set: a predicate, its negation, an equality, or 0 for impossible
states.

    constraint blocked(t, l) => !held_by(l, t)",
    },
    Code {
        code: "E0913",
        title: "unknown action",
        explanation: "A thread, the environment or a fairness line names an action that is not declared.",
    },
    Code {
        code: "E0914",
        title: "wrong number of names for an action",
        explanation: "An action that is declared with names in brackets is called with the same number of names.

    action lock[v] { … }
    thread t { l0: lock[a] -> l1 }",
    },
    Code {
        code: "E0915",
        title: "too many nodes",
        explanation: "A structure has at most 64 nodes. Use summary nodes: `node t*`.",
    },
    Code {
        code: "E0916",
        title: "unknown node",
        explanation: "A tuple of an initial structure names a node that is not declared in it with `node`.",
    },
    Code {
        code: "E0917",
        title: "focus needs predicates",
        explanation: "A focus clause is a list of predicates or negated predicates with `&` between them. They are made
definite from left to right; variables that are not bound run over all nodes.

    focus curr(c) & next(c, o)",
    },
    Code {
        code: "E0918",
        title: "updated twice",
        explanation: "An action gives a predicate two new values. Combine them in one formula.",
    },
    Code {
        code: "E0922",
        title: "not an automaton",
        explanation: "The text in the braces of `never` is an automaton of the bad runs in the Hanoi format (HOA version
1), whose atomic propositions are nullary predicates or closed formulas of the model.",
    },
    Code {
        code: "E0923",
        title: "unknown procedure",
        explanation: "`l0: call P -> l1` calls a procedure that is declared in the file: `procedure P { p0: a -> p1
return p1 }`. With `else l2` behind it the thread continues at l2 if P is left at a location that
`raise` names.",
    },
    Code {
        code: "E0924",
        title: "a name hides an individual",
        explanation: "The variables in `p(v) := …` and `retain v: …` stand for every individual. One that is called like
an individual which the action chooses or creates would hide it: `new k  p(k) := 1` would make p
true of all. Take another name.

    new k  p(v) := p(v) | v == k",
    },
]);
