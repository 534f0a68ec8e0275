//! `weave prove`: what is to be proved, and how.

use super::{OutputArgs, QuestionArgs, one_of};
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
#[command(after_help = "\
Examples:
  weave prove models/spl/bakery2.spl
  weave prove program.spl properties.spec                  a specification in a file of its own
  weave prove --ltl '[]~(l3 /\\ m3)' models/spl/bakery2.spl
  weave prove models/spl/bakery2.spl --diagram models/diagrams/bakery2.diagram
  weave prove models/spl/bakery2.spl --diagram auto        a diagram that shows why
  weave prove models/promela/peterson.pml                  a Promela model")]
pub(crate) struct ProveArgs {
    /// The program or transition system, and files with its specification
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// Prove by the verification diagrams in this file; `auto`: by diagrams that are derived from
    /// an abstraction; `first`: show what a first diagram, from the property's tableau, lacks
    #[arg(long, value_name = "FILE")]
    pub(crate) diagram: Vec<PathBuf>,
    /// Write the diagrams that were derived, to be read, changed, and given to --diagram again
    #[arg(long, value_name = "FILE")]
    pub(crate) write_diagram: Option<PathBuf>,
    /// Instead of an answer, show the diagrams in the files as they are written; with --json also
    /// where each part stands, the properties, and the transitions
    #[arg(long)]
    pub(crate) outline: bool,
    /// Prove by a finite abstraction over these assertions, such as 'b1: y1 = 0, b2: y1 <= y2', or
    /// `auto`: over assertions that are found
    #[arg(long = "abstract", value_name = "BASIS")]
    pub(crate) basis: Option<String>,
    /// Show that the program fairly refines the one in FILE; --abstract says what the variables of
    /// that one stand for
    #[arg(long, value_name = "FILE")]
    pub(crate) refines: Option<PathBuf>,
    /// Write the abstraction that was made as a transition system (.fts)
    #[arg(long, value_name = "FILE")]
    pub(crate) write_abstraction: Option<PathBuf>,
    /// Write a picture of each diagram, with what is proved and what fails: DIR/NAME.svg and
    /// DIR/NAME.dot
    #[arg(long, value_name = "DIR")]
    pub(crate) pictures: Option<PathBuf>,
    /// Ignore the proofs in the file
    #[arg(long)]
    pub(crate) auto: bool,
    /// Use only rules: do not explore all states of a program that has few
    #[arg(long)]
    pub(crate) rules_only: bool,
    /// Use only these engines, and no proofs in the file; `invariants` generates them for the
    /// others
    #[arg(long = "engine", id = "provers", value_name = "ENGINES", value_delimiter = ',', value_parser = one_of(&PROVING))]
    pub(crate) engines: Vec<Proving>,
    /// Which solver to use
    #[arg(long, value_parser = one_of(&SOLVERS), default_value = "any")]
    pub(crate) solver: Choice,
    /// Give up on a condition after this time
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) condition_timeout: Option<Duration>,
    /// Write each condition as SMT-LIB into this folder, a file for each by its name
    #[arg(long, value_name = "DIR")]
    pub(crate) export: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
