//! Whether two answers about a program can both be true.

use super::ask::Executed;
use crate::outcomes::{Answer, Found};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq)]
pub enum Judgement {
    Agreed,
    /// One of both does not decide it; why.
    Open(String),
    Contradiction(String),
}

/// The answer if it is one that decides something.
pub fn found(answer: &Answer) -> Result<&Found, Judgement> {
    match answer {
        Answer::Result(found) => Ok(found),
        Answer::TimeOut => Err(Judgement::Open("time limit".to_owned())),
        Answer::Failed(message) => Err(Judgement::Contradiction(message.clone())),
    }
}

/// A complete search has found all that any other finds.
pub fn searches(one: &Found, other: &Found) -> Judgement {
    let missing = match (one.is_complete(), other.is_complete()) {
        (false, false) => return Judgement::Open("both incomplete".to_owned()),
        (true, false) => missing(one, other),
        (false, true) => missing_in("the other", other, one),
        (true, true) => missing(one, other).or_else(|| missing_in("the other", other, one)),
    };
    missing.map_or(Judgement::Agreed, Judgement::Contradiction)
}

fn missing(complete: &Found, other: &Found) -> Option<String> {
    missing_in("dynamic reduction", complete, other)
}

/// What is missing in a complete search.
fn missing_in(name: &str, complete: &Found, other: &Found) -> Option<String> {
    let outcomes = lacks(&complete.outcomes, &other.outcomes);
    let deadlocks = lacks(&complete.deadlocks, &other.deadlocks);
    let others = lacks(&kinds(complete), &kinds(other));
    let missing = outcomes.map(|it| format!("outcomes missing in {name}: {it}"));
    let missing = missing.or_else(|| deadlocks.map(|it| format!("deadlocks missing in {name}: {it}")));
    missing.or_else(|| others.map(|it| format!("violations missing in {name}: {it}")))
}

fn kinds(found: &Found) -> BTreeSet<String> {
    let kind = |text: &String| text.split(':').next().unwrap_or("").to_owned();
    found.others.iter().map(kind).collect()
}

fn lacks(all: &BTreeSet<String>, some: &BTreeSet<String>) -> Option<String> {
    let lost: Vec<&str> = some.difference(all).map(String::as_str).collect();
    let (number, shown) = (lost.len(), lost.iter().take(3).copied().collect::<Vec<_>>().join("; "));
    (number > 0).then(|| format!("{number} of {}: {shown}", some.len()))
}

/// All that real runs did is among what a complete search found.
pub fn reality(found: &Found, executed: &Executed) -> Judgement {
    if !found.is_complete() {
        return Judgement::Open("the search is incomplete".to_owned());
    }
    if kinds(found).contains("misuse") {
        return Judgement::Open("misuse".to_owned());
    }
    if let Some(lost) = lacks(&found.outcomes, &executed.outcomes) {
        return Judgement::Contradiction(format!("real outcomes missing in dynamic reduction: {lost}"));
    }
    if executed.hangs && found.deadlocks.is_empty() {
        return Judgement::Contradiction("real runs hang: no deadlock was found".to_owned());
    }
    match executed.failed {
        Some(code) if found.others.is_empty() => {
            Judgement::Contradiction(format!("a real run fails: exit code {code}"))
        }
        _ => Judgement::Agreed,
    }
}
