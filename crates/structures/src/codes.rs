//! What each diagnostic code of formulas means.

use source::{Code, CodeTable};

/// Part of 09: syntax and names.
pub const CODES: CodeTable = CodeTable(&[
    Code {
        code: "E0901",
        title: "syntax error",
        explanation: "Something else was expected here. Items begin with `set`, `foreach`, `predicate`, `derived`,
`constraint`, `action`, `thread`, `procedure`, `environment`, `initial`, `invariant`, `ltl`, `never`
or `fair`; reading goes on at the next of these words.",
    },
    Code {
        code: "E0902",
        title: "unknown set",
        explanation: "`foreach`, `any` and `all` run over a set that is declared somewhere in the file.

    set Locks = { a, b }
    foreach (l in Locks) { predicate lock[l](x) unique }",
    },
    Code {
        code: "E0903",
        title: "unknown variable",
        explanation: "A formula uses a variable that nothing binds. In an action there are `self`, the individuals of
`choose` and `new`, and the parameters of the update; quantifiers bind more.",
    },
    Code {
        code: "E0904",
        title: "unknown predicate",
        explanation: "The predicate is not declared. `at[l]` exists for every location l of a thread; all others are
declared with `predicate` or `derived`.",
    },
    Code {
        code: "E0905",
        title: "wrong number of arguments",
        explanation: "A predicate is used with more or fewer arguments than it was declared with. One without arguments is
written without brackets.",
    },
    Code {
        code: "E0906",
        title: "too many variables",
        explanation: "A formula has more than 60 variables in scope at one place. Split it with derived predicates.",
    },
    Code {
        code: "E0919",
        title: "too many atoms",
        explanation: "A formula of temporal logic has at most 64 different atoms.",
    },
]);
