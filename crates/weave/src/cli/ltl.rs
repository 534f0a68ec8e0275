//! `weave ltl`: what is asked about a formula.

use super::question::MORE;
use super::{BoundArgs, OutputArgs, one_of};
use clap::{Args, ValueEnum};
use workbench::ltl::{Syntax, Target};

const SYNTAXES: [(&str, Syntax); 3] =
    [("spin", Syntax::Spin), ("step", Syntax::Step), ("common", Syntax::Common)];

/// Analyse a formula of temporal logic, without a model
///
/// Shows whether it is valid or satisfiable, its class (safety, guarantee, obligation, recurrence,
/// persistence, reactivity), whether it counts steps, its automaton, a word that satisfies it and
/// one that does not. The formula is in SPIN's syntax, in STeP's or in the common one of letters;
/// the syntax is detected. Exit code 0 if --is and --equivalent are all answered by yes, 1 if not,
/// 3 if an automaton becomes too large.
#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = "\
Examples:
  weave ltl '[] (request -> <> reply)'
  weave ltl 'G (p -> F q)' --is safety --is stutter-invariant
  weave ltl 'p W q' --equivalent 'G p | p U q'
  weave ltl '!(G F p -> G F q)' --to never")]
pub(crate) struct LtlArgs {
    /// The formula, or `-` for standard input; atoms are any expressions
    pub(crate) formula: String,
    /// Does every word satisfy both formulas or neither?
    #[arg(long, value_name = "FORMULA")]
    pub(crate) equivalent: Option<String>,
    /// Is it of this kind? Decides the exit code
    ///
    /// May be given several times.
    #[arg(long = "is", value_enum, value_name = "KIND")]
    pub(crate) claims: Vec<Claim>,
    /// The syntax [default: detected]
    #[arg(long, value_parser = one_of(&SYNTAXES))]
    pub(crate) syntax: Option<Syntax>,
    /// Write the formula in another syntax, or its automaton, and nothing else
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<Format>,
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What a formula can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Claim {
    Valid,
    Satisfiable,
    Unsatisfiable,
    Safety,
    Guarantee,
    Obligation,
    Recurrence,
    Persistence,
    Liveness,
    StutterInvariant,
}

impl Claim {
    /// As it is typed.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Spin,
    Step,
    Common,
    /// Hanoi Omega-Automata, version 1
    Hoa,
    /// A never claim of the formula as it is: negate a property first
    Never,
    /// Graphviz
    Dot,
}

impl Format {
    pub(crate) fn target(self) -> Target {
        match self {
            Format::Spin => Target::Syntax(Syntax::Spin),
            Format::Step => Target::Syntax(Syntax::Step),
            Format::Common => Target::Syntax(Syntax::Common),
            Format::Hoa => Target::Hoa,
            Format::Never => Target::Never,
            Format::Dot => Target::Dot,
        }
    }
}
