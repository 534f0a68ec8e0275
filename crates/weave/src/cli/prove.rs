//! `weave prove`: what is to be proved, and how.

use super::question::{FILES, MORE, PROOFS};
use super::{InputArgs, OutputArgs, QuestionArgs, one_of};
use crate::units::parse_duration;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use workbench::prove::Choice;
use workbench::{PROVING, Proving};

const SOLVERS: [(&str, Choice); 4] =
    [("any", Choice::Any), ("embedded", Choice::Embedded), ("z3", Choice::Z3), ("cvc5", Choice::Cvc5)];

/// Prove properties of SPL programs, transition systems (.spl, .fts) and Promela models
///
/// Runs the proofs in the file. A property without one is tried with generated invariants, the
/// invariance rules, top-down strengthening and a property-directed search, which may also find a
/// run that violates it; then, if there are few states, by exploring all of them. A failed
/// condition shows two states and the statement between. Promela models are translated exactly or
/// refused; for them, deadlocks, assertions, run-time errors and formulas `[] p` are proved.
#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = "\
Examples:
  weave prove models/spl/bakery2.spl
  weave prove program.spl properties.spec                  a specification in a file of its own
  weave prove --ltl '[]~(l3 /\\ m3)' models/spl/bakery2.spl
  weave prove models/spl/bakery2.spl --diagram models/diagrams/bakery2.diagram
  weave prove models/spl/bakery2.spl --diagram auto        a diagram that shows why
  weave prove models/promela/peterson.pml                  a Promela model
  generate | weave prove -                                 from standard input")]
pub(crate) struct ProveArgs {
    /// The program or transition system, or `-`; behind it files with its specification
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// Ignore the proofs in the file
    #[arg(long, help_heading = PROOFS)]
    pub(crate) auto: bool,
    /// Use only rules: do not explore all states of a program that has few
    #[arg(long, help_heading = PROOFS)]
    pub(crate) rules_only: bool,
    /// Use only these engines, and no proofs in the file [default: all of them]
    ///
    /// `invariants` generates them for the others.
    #[arg(long = "engine", id = "provers", value_name = "ENGINES", value_delimiter = ',', value_parser = one_of(&PROVING), help_heading = PROOFS)]
    pub(crate) engines: Vec<Proving>,
    /// Which solver to use
    #[arg(long, value_parser = one_of(&SOLVERS), default_value = "any", help_heading = PROOFS)]
    pub(crate) solver: Choice,
    /// Give up on a condition after this time [default: no limit but --timeout]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = PROOFS, hide_short_help = true)]
    pub(crate) condition_timeout: Option<Duration>,
    /// Prove by the verification diagrams in this file; `auto`: by diagrams that are derived
    ///
    /// auto: from an abstraction. first: show what a first diagram, from the property's tableau,
    /// lacks.
    #[arg(long, value_name = "FILE", help_heading = PROOFS)]
    pub(crate) diagram: Vec<PathBuf>,
    /// Prove by a finite abstraction over these assertions; `auto`: over assertions that are found
    ///
    /// Such as 'b1: y1 = 0, b2: y1 <= y2'.
    #[arg(long = "abstract", value_name = "BASIS", help_heading = PROOFS)]
    pub(crate) basis: Option<String>,
    /// Show that the program fairly refines the one in FILE
    ///
    /// --abstract says what the variables of that one stand for.
    #[arg(long, value_name = "FILE", help_heading = PROOFS, hide_short_help = true)]
    pub(crate) refines: Option<PathBuf>,
    /// Write the diagrams that were derived, to be read, changed, and given to --diagram again
    #[arg(long, value_name = "FILE", help_heading = FILES, hide_short_help = true)]
    pub(crate) write_diagram: Option<PathBuf>,
    /// Write the abstraction that was made as a transition system (.fts)
    #[arg(long, value_name = "FILE", help_heading = FILES, hide_short_help = true)]
    pub(crate) write_abstraction: Option<PathBuf>,
    /// Write a picture of each diagram: DIR/NAME.svg and DIR/NAME.dot
    ///
    /// With what is proved and what fails.
    #[arg(long, value_name = "DIR", help_heading = FILES, hide_short_help = true)]
    pub(crate) pictures: Option<PathBuf>,
    /// Write each condition as SMT-LIB into this folder, a file for each by its name
    #[arg(long, value_name = "DIR", help_heading = FILES, hide_short_help = true)]
    pub(crate) export: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
