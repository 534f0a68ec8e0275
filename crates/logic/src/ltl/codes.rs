//! What the diagnostics about formulas mean.

use source::{Code, CodeTable};

/// The diagnostics of reading formulas, each with its explanation.
pub const CODES: CodeTable = CodeTable(&[
    Code {
        code: "E0401",
        title: "quoted atom without an end",
        explanation: r#"A double quote opens an atom, whose text is read in the language of the model; a second one closes
it.

    G "x & 1        error
    G "x & 1"       right"#,
    },
    Code {
        code: "E0402",
        title: "brackets do not match",
        explanation: r#"Every (, [ and { needs its closing bracket, in the right order.

    [] (p -> (q)        error
    [] (p -> (q))       right"#,
    },
    Code {
        code: "E0403",
        title: "not a formula",
        explanation: r#"An operand or an operator is missing. Operators join operands; the text between operators is an
expression of the model's language.

    [] p q          error
    [] (p -> q)     right"#,
    },
    Code {
        code: "E0404",
        title: "formula too large",
        explanation: r#"Formulas may nest 200 levels deep, have 500 operators in a row and one MiB of text; quantifiers must
not make them much larger. Automata of larger formulas could not be built anyway. Split the formula
into several properties."#,
    },
    Code {
        code: "E0405",
        title: "operator of another syntax",
        explanation: r#"A formula is written in one of three syntaxes: SPIN's, STeP's or the common one of letters. Do not
mix them, because the same text can mean different things.

    [] (p -> F q)       error
    [] (p -> <> q)      SPIN
    [] (p --> <> q)     STeP
    G (p -> F q)        common

`=>` is in none of them: write `->` for implication and `==>` for entailment, G (p -> q)."#,
    },
    Code {
        code: "E0406",
        title: "temporal formula in arithmetic",
        explanation: r#"A temporal formula is true or false of a whole run; it has no value in a state to compare or compute
with.

    x == [] p           error
    [] (x == p)         right"#,
    },
    Code {
        code: "E0407",
        title: "quantifier over a temporal formula",
        explanation: r#"A quantifier extends as far as possible. If its scope has a temporal operator, the model's language
must be able to list the values of its variable.

    Forall i:[1..N]. [] p[i]        not everywhere
    [] Forall i:[1..N]. p[i]        right: a state formula"#,
    },
    Code {
        code: "E0408",
        title: "syntax not clear",
        explanation: r#"The formula can be read in several syntaxes that disagree: SPIN joins `p U q U r` from the left, the
others from the right; `p & q` is a C expression in SPIN.

    p U q U r           error
    p U (q U r)         right

Or say which syntax it is in: `--syntax spin|step|common`.

A word may also be an operator and a macro of the model. In an `ltl` block it is the macro. For the
macro, write the atom between double quotes; for the operator, rename the macro.

    #define X(a) (a == 7)
    [] X(x)             error
    [] "X(x)"           the macro"#,
    },
    Code {
        code: "W0401",
        title: "means something else elsewhere",
        explanation: r#"The formula is read in the syntax that belongs to the model (SPIN's for Promela, STeP's for SPL),
but another syntax would read it differently. Add brackets to make it unambiguous.

    p U q U r           to SPIN (p U q) U r"#,
    },
]);
