//! What the diagnostics about automata in files mean.

use source::{Code, CodeTable};

/// The diagnostics of reading automata, each with its explanation.
pub const CODES: CodeTable = CodeTable(&[
    Code {
        code: "E0501",
        title: "not HOA text",
        explanation: r#"The text does not follow the grammar of the Hanoi Omega-Automata format, version 1.

    HOA: v1
    States: 1
    Start: 0
    AP: 1 "p"
    acc-name: Buchi
    Acceptance: 1 Inf(0)
    --BODY--
    State: 0
    [0] 0 {0}
    [!0] 0
    --END--"#,
    },
    Code {
        code: "E0502",
        title: "automaton too large",
        explanation: r#"Automata may have at most 64 propositions, 64 acceptance sets and about a million states, and labels
may nest 200 levels deep."#,
    },
    Code {
        code: "E0503",
        title: "no such number or name",
        explanation: r#"States, propositions and sets are numbered from 0 up to the numbers that the header declares;
aliases and labels must be declared.

    AP: 1 "p"
    …
    [0 & 1] 2       error: there is no proposition 1"#,
    },
    Code {
        code: "E0504",
        title: "acceptance condition with Fin",
        explanation: r#"Büchi and generalized Büchi automata are read, and every condition made of Inf with & and |. A
condition with Fin (co-Büchi, Rabin, Streett, parity) is another kind of automaton and must be
translated first.

    Acceptance: 2 Inf(0) & Inf(1)       read
    Acceptance: 2 Fin(0) & Inf(1)       refused"#,
    },
    Code {
        code: "E0505",
        title: "unknown header line",
        explanation: r#"In HOA a header line whose name begins with a capital letter changes what the automaton means, so an
unknown one cannot be ignored. Lines with small letters are ignored.

    controllable-AP: 0      ignored
    Fairness: 2             refused"#,
    },
    Code {
        code: "E0506",
        title: "labels missing",
        explanation: r#"A state either has labels on all its edges (or one label for all of them), or no labels at all and
one edge for each valuation of the propositions in order, the first proposition as the lowest bit.

    AP: 1 "p"
    …
    State: 0
    1           for !p
    0           for p"#,
    },
    Code {
        code: "E0507",
        title: "alternating automaton",
        explanation: r#"A target such as 1&2 means that the rest of the word must be accepted from both states. Only
nondeterministic automata are read."#,
    },
    Code {
        code: "E0508",
        title: "not a generated never claim",
        explanation: r#"Claims are read in the form that SPIN and similar tools write: a label for each state, then if or do
with conditions and gotos, skip or false.

    never {
    T0_init:
        do
        :: (p) -> goto accept_all
        :: (1) -> goto T0_init
        od;
    accept_all:
        skip
    }

Put a claim with other statements into a Promela model."#,
    },
]);
