//! What `weave run` says of a program, and whether that can be true.

use super::Program;
use super::clocks::Reading;
use super::explore::{Truth, explore, grainy, races};
use super::lower::Grain;
use crate::outcomes::{self, Answer, Found};
use crate::process::ToolFailed;
use crate::scratch::Scratch;
use std::path::Path;
use std::{fs, io};

/// What the interpreter says: both grains, and the race under both readings.
#[derive(Debug, Clone)]
pub struct Known {
    /// With as few steps as the standard allows: all of this must be found.
    pub coarse: Truth,
    /// With as many: nothing but this may be found.
    pub fine: Truth,
    /// A race under every reading of what is ordered; none if it was too much work.
    pub race: Option<bool>,
    /// No race under any.
    pub no_race: Option<bool>,
}

const STATES: usize = 60_000;
/// Programs with more outcomes cost more than they tell.
const OUTCOMES: usize = 80;

/// None if the program is too large.
pub fn known(program: &Program, orders: f64) -> Option<Known> {
    let coarse = explore(program, Grain::Coarse, STATES)?;
    if coarse.orders > orders || coarse.outcomes.len() > OUTCOMES {
        return None;
    }
    let fine = if grainy(program) { explore(program, Grain::Fine, 4 * STATES)? } else { coarse.clone() };
    let least = races(program, Grain::Coarse, Reading::Least, 4 * STATES);
    let most = match least {
        Some(true) => races(program, Grain::Coarse, Reading::Most, 4 * STATES),
        other => other,
    };
    Some(Known { coarse, fine, race: most, no_race: least.map(|race| !race) })
}

/// One way to ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Question {
    /// All outcomes, with a reduction, from a binary made by `weave cc`.
    Outcomes(&'static str),
    /// All outcomes, from the source file.
    Source,
    /// Data races as violations; the program keeps its outcome for itself.
    Races,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Judgement {
    Agreed,
    /// Weave does not decide it, or nothing is known to compare with; why.
    Open(String),
    Contradiction(String),
}

/// A program in a folder, compiled.
pub struct Subject {
    scratch: Scratch,
}

impl Subject {
    /// Compiles the program; an error message if that fails.
    pub fn new(program: &Program, weave: &Path) -> io::Result<Result<Subject, ToolFailed>> {
        let scratch = Scratch::new("threads")?;
        fs::write(scratch.path().join("p.c"), program.to_string())?;
        Ok(outcomes::compile(weave, scratch.path())?.map(|()| Subject { scratch }))
    }

    pub fn ask(&self, weave: &Path, question: Question) -> io::Result<Answer> {
        let options = match question {
            Question::Outcomes(reduction) => vec!["--races", "list", "--reduction", reduction, "./p"],
            Question::Source => vec!["--races", "list", "--cflags", "-O0 -w", "p.c"],
            Question::Races => vec!["--races", "error", "./p", "--", "quiet"],
        };
        outcomes::ask(weave, self.scratch.path(), &options)
    }
}

pub fn judge(question: Question, known: &Known, answer: &Answer) -> Judgement {
    let found = match answer {
        Answer::Result(found) => found,
        Answer::TimeOut => return Judgement::Open("time limit".to_owned()),
        Answer::Failed(message) => return Judgement::Contradiction(message.clone()),
    };
    let undefined = known.fine.undefined || known.coarse.undefined;
    match question {
        Question::Races => judge_races(known, found, undefined),
        _ if undefined => Judgement::Open("memory is used after it was freed".to_owned()),
        _ => judge_outcomes(known, found),
    }
}

fn judge_outcomes(known: &Known, found: &Found) -> Judgement {
    let list = |outcomes: Vec<&String>| {
        outcomes.into_iter().take(3).map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    let contradiction = |text: String| Judgement::Contradiction(text);
    let impossible: Vec<&String> = found.outcomes.difference(&known.fine.outcomes).collect();
    if !impossible.is_empty() {
        return contradiction(format!("impossible outcomes: {}", list(impossible)));
    }
    if !found.deadlocks.is_empty() && !known.fine.deadlock {
        return contradiction("a deadlock that cannot be".to_owned());
    }
    if let Some(other) = found.others.first() {
        return contradiction(format!("a violation that cannot be: {other}"));
    }
    if !found.exhausted || found.verdict == "unknown" {
        return Judgement::Open(format!("unknown: {}", found.reason));
    }
    let missing: Vec<&String> = known.coarse.outcomes.difference(&found.outcomes).collect();
    if !missing.is_empty() {
        return contradiction(format!("{} outcomes are missing: {}", missing.len(), list(missing)));
    }
    if known.coarse.deadlock && found.deadlocks.is_empty() {
        return contradiction("a deadlock is missing".to_owned());
    }
    if found.outcomes.len() < known.fine.outcomes.len() {
        return Judgement::Open("agreed, but for the grain of copies and bit fields".to_owned());
    }
    Judgement::Agreed
}

fn judge_races(known: &Known, found: &Found, undefined: bool) -> Judgement {
    let unknown = found.verdict == "unknown" || !found.exhausted && !found.race;
    match (known.race, known.no_race) {
        _ if found.race && known.no_race == Some(true) => {
            Judgement::Contradiction("a race that cannot be".to_owned())
        }
        (Some(true), _) if undefined && found.verdict == "violated" => Judgement::Agreed,
        (Some(true), _) if !found.race && unknown => {
            Judgement::Open(format!("races unknown: {}", found.reason))
        }
        (Some(true), _) if !found.race => Judgement::Contradiction("a race is missing".to_owned()),
        (None, _) | (_, None) => Judgement::Open("too many states to look for races".to_owned()),
        (Some(false), Some(false)) => {
            Judgement::Open(format!("a race or not, as one reads the standard: {}", found.race))
        }
        _ if undefined => Judgement::Agreed,
        _ if !found.deadlocks.is_empty() && !known.fine.deadlock => {
            Judgement::Contradiction("a deadlock that cannot be".to_owned())
        }
        _ if !found.others.is_empty() => {
            Judgement::Contradiction(format!("a violation that cannot be: {}", found.others[0]))
        }
        _ if unknown => Judgement::Open(format!("unknown: {}", found.reason)),
        _ if known.no_race == Some(true) && known.coarse.deadlock == found.deadlocks.is_empty() => {
            Judgement::Contradiction("a deadlock is missing".to_owned())
        }
        _ => Judgement::Agreed,
    }
}
