//! What people read first of a violation: what fails, in the words of the text, and how.
//!
//! The first word is the kind of the failure or the name of the property. Then comes the thing
//! itself: who waits for what, which formula fails and what repeats, where an assertion stands.

use crate::answer::{Kind, Violation};
use crate::report::{Awaited, Ending, Report, Waiting};

/// Groups of blocked processes beyond these are counted, not named.
const NAMED: usize = 3;

/// A statement is cut behind this number of characters.
const STATEMENT: usize = 40;

/// A formula is cut behind this number.
const FORMULA: usize = 100;

/// Names that formulas of the command line have.
const UNNAMED: [&str; 3] = ["formula", "ltl", "--ltl"];

/// A violation in one line: of what, where, after how many steps.
pub(crate) fn headline(violation: &Violation) -> String {
    let Violation { kind, property, message, location, trace, recording, .. } = violation;
    if recording.program.is_some() {
        return format!("{property}: {message}");
    }
    // A message that names the property needs no name before it.
    let named = [property.clone(), format!("`{property}`")].iter().any(|name| message.starts_with(name));
    let unnamed = named || UNNAMED.contains(&property.as_str());
    let what = if unnamed { kind.name() } else { property };
    let last = trace.steps.last().and_then(|s| s.statements.last()).and_then(|s| s.location.as_ref());
    // A loop has no place where it fails; races and deadlocks have several, in their messages and
    // below.
    let nowhere = matches!(kind, Kind::Deadlock | Kind::Race) || matches!(trace.ending, Ending::Lasso { .. });
    let place = location.as_ref().filter(|place| !nowhere && last == Some(*place));
    let place = place.map(|place| format!(" at line {}", place.line)).unwrap_or_default();
    format!("{what}: {message}{place}{}", after(trace))
}

/// When it happens; a loop has said it.
fn after(trace: &Report) -> String {
    match trace.steps.len() {
        _ if matches!(trace.ending, Ending::Lasso { .. }) => String::new(),
        0 => ", in the first state".to_string(),
        1 => ", after 1 step".to_string(),
        steps => format!(", after {steps} steps"),
    }
}

/// What a run without end repeats: *steps 3-7 repeat forever*.
pub(crate) fn repeats(trace: &Report) -> Option<String> {
    let Ending::Lasso { loop_start } = trace.ending else { return None };
    let steps = trace.steps.len();
    let idle = |step: &crate::report::ReportStep| step.statements.iter().all(|s| s.text == IDLE);
    let still = loop_start >= steps || trace.steps[loop_start..].iter().all(idle);
    Some(match (still, loop_start) {
        (true, 0) => "nothing ever happens".to_string(),
        (true, from) => format!("nothing happens after step {from}"),
        (false, from) if from + 1 == steps => format!("step {steps} repeats forever"),
        (false, from) => format!("steps {}-{steps} repeat forever", from + 1),
    })
}

/// The statement of a step in which nothing happens.
pub(crate) const IDLE: &str = "(idle)";

/// A property that fails, by its text, and how the run shows it.
pub(crate) fn fails(text: &str, trace: &Report) -> String {
    let how = repeats(trace).map(|how| format!(": {how}")).unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{}` fails{how}", cut(&text, FORMULA))
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text.to_string(),
    }
}

/// Who is blocked, what each has and what it waits for.
pub(crate) fn deadlock(trace: &Report) -> String {
    let blocked: Vec<&Waiting> = trace.waiting.iter().filter(|w| !w.valid_end).collect();
    // Who waits for the end of a thread waits for one that is blocked itself.
    let joins = |w: &&&Waiting| w.awaits_any(&[Awaited::End]);
    let (joining, mut stuck): (Vec<&Waiting>, Vec<&Waiting>) = blocked.iter().partition(joins);
    if stuck.is_empty() {
        stuck = joining;
    }
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for waiting in stuck {
        let (who, state) = (trace.label(waiting.actor), waits(waiting));
        match groups.iter_mut().find(|(known, _)| *known == state) {
            Some((_, all)) => all.push(who),
            None => groups.push((state, vec![who])),
        }
    }
    let left: usize = groups.iter().skip(NAMED).map(|(_, who)| who.len()).sum();
    let one = |(state, who): &(String, Vec<String>)| {
        let (has, waits) = if who.len() == 1 { ("holds", "waits") } else { ("hold", "wait") };
        format!("{} {}", listed(who), state.replacen("{has}", has, 1).replacen("{waits}", waits, 1))
    };
    let mut words: Vec<String> = groups.iter().take(NAMED).map(one).collect();
    words.extend((left > 0).then(|| format!("{left} more wait")));
    match words.is_empty() {
        true => "no process can move".to_string(),
        false => words.join(", "),
    }
}

/// Names with *and* before the last.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => names.concat(),
    }
}

/// What who is blocked has and waits for; the verbs are left open.
fn waits(waiting: &Waiting) -> String {
    let held: Vec<String> = waiting.holds.iter().map(|lock| format!("`{lock}`")).collect();
    let holds = if held.is_empty() { String::new() } else { format!("{{has}} {} and ", listed(&held)) };
    let place = waiting.statements.iter().find_map(|s| s.location.as_ref());
    let line = place.map(|l| format!(" at line {}", l.line)).unwrap_or_default();
    match waiting.awaits() {
        Some(need) => format!("{holds}{{waits}} for {}", need.words()),
        None => format!("{holds}{{waits}}{line} for {}", next(waiting)),
    }
}

/// The statements that it could go on with.
fn next(waiting: &Waiting) -> String {
    let all: Vec<String> =
        waiting.statements.iter().map(|s| format!("`{}`", cut(&s.text, STATEMENT))).collect();
    match all.len() {
        0 => "the younger processes to end".to_string(),
        1 | 2 => all.join(" or "),
        more => format!("one of {more} statements"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Actor, Need, ReportStep, Statement};

    fn waiting(actor: usize, text: &str, holds: &[&str], awaits: Option<(Awaited, &str)>) -> Waiting {
        let statement = Statement { actor, text: text.to_string(), location: None, call: None };
        Waiting {
            actor,
            statements: vec![statement],
            holds: holds.iter().map(|s| (*s).to_string()).collect(),
            valid_end: false,
            needs: awaits
                .map(|(what, object)| Need { what, object: object.to_string(), ..Need::default() })
                .into_iter()
                .collect(),
        }
    }

    fn report(waiting: Vec<Waiting>) -> Report {
        let actor = |pid: usize| Actor { pid, name: "P".to_string(), process: None };
        Report { actors: (0..waiting.len()).map(actor).collect(), waiting, ..Report::default() }
    }

    #[test]
    fn a_deadlock_says_who_has_what_and_waits_for_what() {
        let locks = [
            waiting(0, "join", &[], Some((Awaited::End, "P[1]"))),
            waiting(1, "lock b", &["a"], Some((Awaited::Lock, "b"))),
            waiting(2, "lock a", &["b"], Some((Awaited::Lock, "a"))),
        ];
        let words = "P[1] holds `a` and waits for `b`, P[2] holds `b` and waits for `a`";
        assert_eq!(deadlock(&report(locks.to_vec())), words);
        let alike = vec![waiting(0, "go?1", &[], None), waiting(1, "go?1", &[], None)];
        assert_eq!(deadlock(&report(alike)), "P[0] and P[1] wait for `go?1`");
        let alone = vec![waiting(0, "join", &[], Some((Awaited::End, "P[0]")))];
        assert_eq!(deadlock(&report(alone)), "P[0] waits for P[0] to end");
    }

    #[test]
    fn a_loop_is_named_by_its_steps() {
        let run = |steps: usize, loop_start: usize| {
            let ending = Ending::Lasso { loop_start };
            let statement = Statement { actor: 0, text: "x++".into(), location: None, call: None };
            let step = ReportStep { statements: vec![statement], ..ReportStep::default() };
            let report = Report { steps: vec![step; steps], ending, ..Report::default() };
            repeats(&report).unwrap()
        };
        assert_eq!(run(7, 2), "steps 3-7 repeat forever");
        assert_eq!(run(7, 6), "step 7 repeats forever");
        assert_eq!(run(4, 4), "nothing happens after step 4");
        assert_eq!(run(0, 0), "nothing ever happens");
    }
}
