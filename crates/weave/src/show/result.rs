//! An answer on the screen: the verdict first, then what went wrong and where, the run, the
//! numbers; the parts that there are.

use crate::shell::quote;
use crate::show::{certified, program, proof, violation};
use crate::style::Style;
use crate::units::{count, plural, size};
use source::SourceMap;
use workbench::answer::few;
use workbench::{
    Answer, CacheStatistics, Decided, DiskNumbers, Kind, Losses, ReductionUsed, RunNumbers, SearchNumbers,
    Unreached, Verdict,
};

/// The first line.
pub(crate) fn headline(answer: &Answer, style: &Style) -> String {
    let word = answer.verdict.name().to_uppercase();
    let reason = match (answer.verdict, answer.numbers.search) {
        // Nothing had to be searched.
        (Verdict::Holds, Some(n)) if n.states == 0 && answer.numbers.diagrams.is_none() => {
            format!("{}, as the text shows", nothing_found(&answer.properties))
        }
        (Verdict::Holds, Some(n)) => {
            format!("{} in {}", nothing_found(&answer.properties), plural(n.states as usize, "state"))
        }
        (Verdict::Violated, _) => in_full(answer),
        _ => answer.reason.clone(),
    };
    let violations = answer.properties.iter().any(|p| p.kind == Kind::Race && p.verdict == Verdict::Violated);
    let listed = match answer.races.len() {
        1.. if !violations => format!(", with {} listed", plural(answer.races.len(), "data race")),
        _ => String::new(),
    };
    format!("{}{listed}: {reason}\n", style.paint(answer.verdict.into(), &word))
}

/// Why it is violated, with the kind of a race in two words.
fn in_full(answer: &Answer) -> String {
    let race = answer.violations.first().is_some_and(|v| v.kind == Kind::Race);
    match answer.reason.strip_prefix("race: ").filter(|_| race) {
        Some(words) => format!("data race: {words}"),
        None => answer.reason.clone(),
    }
}

/// Everything.
pub(crate) fn result(map: &SourceMap, answer: &Answer, reproduce: &str, style: &Style) -> String {
    let numbers = &answer.numbers;
    let mut out = headline(answer, style);
    match &numbers.proof {
        Some(found) => out.push_str(&proof::part(map, answer, found, style)),
        None => {
            out.push_str(&violation::all(map, &answer.violations, style));
            out.push('\n');
        }
    }
    if let Some(n) = &numbers.search {
        out.push_str(&properties(&answer.properties, style));
        out.push_str(&searched(answer, n));
        out.push_str(&products(&answer.properties));
        out.push_str(&unreached(answer, style));
    }
    out.push_str(&numbers.runs.as_ref().map(|n| program::numbers(answer, n)).unwrap_or_default());
    out.push_str(&lines("race", &answer.races));
    out.push_str(&numbers.runs.as_ref().map(unsure).unwrap_or_default());
    out.push_str(&lines("assumes", &answer.assumes));
    out.push_str(&certified::line(&answer.properties));
    out.push_str(&numbers.runs.as_ref().map(|n| lines("uncontrolled", &n.uncontrolled)).unwrap_or_default());
    out.push_str(&candidates(answer, style.full));
    out.push_str(&format!("reproduce: {reproduce}\n"));
    out
}

fn lines(word: &str, all: &[String]) -> String {
    all.iter().map(|line| format!("{word}: {line}\n")).collect()
}

/// Runs of a program that did not fail again, and what was not seen.
fn unsure(n: &RunNumbers) -> String {
    let mut out = String::new();
    for once in &n.unrepeated {
        let steps = plural(once.recording.steps.len(), "step");
        out.push_str(&format!("failed once: {} ({steps}; --trace FILE records it)\n", once.why));
    }
    out + &lines("unseen", &n.unseen)
}

/// Abstract runs that may be bad, and what the cross-check saw.
fn candidates(answer: &Answer, full: bool) -> String {
    let mut out = String::new();
    for property in &answer.properties {
        let Some(lines) = &property.candidate else { continue };
        let name = &property.name;
        match property.proof {
            Some(_) => out.push_str(&format!("a run of the abstraction that violates {name}:\n")),
            None => {
                let marks = "`*` marks summary nodes, `?` is 1/2";
                out.push_str(&format!("an abstract run that may violate {name}; {marks}:\n"));
            }
        }
        let shown = if full { lines.len() } else { lines.len().min(24) };
        lines[..shown].iter().for_each(|l| out.push_str(&format!("  {l}\n")));
        if shown < lines.len() {
            out.push_str(&format!("  ... {} more lines; --full shows all\n", lines.len() - shown));
        }
    }
    out + &answer.cross_check.iter().map(|words| format!("cross-check: {words}\n")).collect::<String>()
}

fn nothing_found(properties: &[Decided]) -> String {
    let words = properties.iter().map(|p| match (p.name.as_str(), p.kind) {
        // A formula of the file may have such a name.
        (_, Kind::Ltl) => format!("{} holds", called(p)),
        ("deadlock", _) => "no deadlock".to_string(),
        ("assertion", _) => "no failed assertion".to_string(),
        ("runtime", _) => "no run-time error".to_string(),
        ("error", _) => "no error".to_string(),
        ("race", _) => "no data race".to_string(),
        _ => format!("{} holds", called(p)),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A property by its name; a formula of the command line by its text.
fn called(property: &Decided) -> &str {
    let given = property.kind == Kind::Ltl && property.name.starts_with("formula");
    if given && !property.text.is_empty() { &property.text } else { &property.name }
}

/// One line for each property, when they do not all say the same.
fn properties(properties: &[Decided], style: &Style) -> String {
    if properties.iter().all(|p| p.verdict == Verdict::Holds && p.vacuous.is_none()) {
        return String::new();
    }
    let width = properties.iter().map(|p| called(p).chars().count()).max().unwrap_or(0);
    let line = |p: &Decided| {
        let vacuous = p.vacuous.as_ref().map(|v| format!(" vacuously ({v})"));
        let reason = p.reason.as_ref().map(|r| format!(" ({r})")).or(vacuous).unwrap_or_default();
        format!("  {:width$}  {}{reason}\n", called(p), style.paint(p.verdict.into(), p.verdict.name()))
    };
    format!("properties:\n{}", properties.iter().map(line).collect::<String>())
}

fn reduction(used: &ReductionUsed) -> String {
    let name = match used.name.as_str() {
        "none" => "no reduction".to_string(),
        name => format!("reduction {name}{}", if used.proviso { " with proviso" } else { "" }),
    };
    let off =
        used.off.iter().map(|(why, states)| format!(", off in {}: {why}", plural(states as usize, "state")));
    let name = name + &off.collect::<String>();
    used.dropped.as_ref().map_or(name.clone(), |why| format!("{name}: {why}"))
}

/// What the searches of runs cost, and what they left out.
fn products(properties: &[Decided]) -> String {
    let line = |p: &Decided| {
        let ((states, transitions), used) = p.product.zip(p.reduction.as_ref())?;
        let (states, transitions) =
            (plural(states as usize, "state"), plural(transitions as usize, "transition"));
        Some(format!("{}: {states}, {transitions} with the property, {}\n", p.name, reduction(used)))
    };
    properties.iter().filter_map(line).collect()
}

fn searched(answer: &Answer, n: &SearchNumbers) -> String {
    let complete = if answer.exhausted { "complete search" } else { "search not complete" };
    let (states, transitions, matched) = (
        plural(n.states as usize, "state"),
        plural(n.transitions as usize, "transition"),
        count(n.matched()),
    );
    let mut out = match answer.numbers.diagrams {
        None if n.states == 0 && answer.violations.iter().any(|v| !v.trace.heaps.is_empty()) => {
            return "found on a run with few threads and objects, before the search\n".to_string();
        }
        None => {
            // Searches of runs have reductions of their own, in lines of their own, and no depth.
            let products = answer.properties.iter().any(|p| p.reduction.is_some());
            let depth = (n.depth > 0 || n.states < 2).then(|| format!(", depth {}", count(n.depth)));
            let reduced = (answer.reduction.name != "none" || !products)
                .then(|| format!(", {}", reduction(&answer.reduction)));
            let (depth, reduced) = (depth.unwrap_or_default(), reduced.unwrap_or_default());
            format!("{states}, {transitions} ({matched} matched){depth}; {complete}{reduced}\n")
        }
        Some(d) => format!(
            "{states}, {transitions}; {complete}, symbolic: {} a state, {}\n",
            plural(d.bits as usize, "bit"),
            plural(d.nodes as usize, "node")
        ),
    };
    out.push_str(&answer.numbers.cache.as_ref().map(cache).unwrap_or_default());
    out.push_str(&answer.numbers.losses.as_ref().map(losses).unwrap_or_default());
    out.push_str(&answer.numbers.disk.as_ref().map(|d| disk(d, n)).unwrap_or_default());
    let e = &answer.errors;
    if e.deadlock + e.assertion + e.runtime > 1 {
        let kinds = [("deadlock", e.deadlock), ("assertion", e.assertion), ("runtime", e.runtime)];
        let kinds = kinds.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{kind} {}", count(*n)));
        out.push_str(&format!("violating states: {}\n", kinds.collect::<Vec<_>>().join(", ")));
    }
    let rate = count(answer.numbers.states_per_second() as u64);
    out.push_str(&format!("{:.2} s, {rate} states/s", answer.numbers.seconds));
    if n.memory_bytes > 0 {
        out.push_str(&format!(", {} ({:.1} bytes/state)", size(n.memory_bytes), n.bytes_per_state()));
    }
    out + "\n"
}

/// What may have been missed, because states may be taken for others.
fn losses(losses: &Losses) -> String {
    let about = losses.missed.map(|missed| format!("about {} states taken for others", few(missed)));
    let about = about.unwrap_or_else(|| "no search ran to its end".to_string());
    match losses.searches {
        1 => format!("lossy store: {about}; {:.2} % full\n", 100.0 * losses.filled),
        n => format!("swarm of {n} searches: {about} in the best, {:.2} % full\n", 100.0 * losses.filled),
    }
}

/// States on disk, and what was there already.
fn disk(disk: &DiskNumbers, n: &SearchNumbers) -> String {
    let each = if n.states == 0 { 0.0 } else { disk.bytes as f64 / n.states as f64 };
    let mut out = format!("disk: {} of files ({each:.1} bytes/state)", size(disk.bytes));
    if let Some(states) = disk.resumed {
        out.push_str(&format!("; continued from a checkpoint of {}", plural(states as usize, "state")));
    }
    if disk.kept {
        let folder = quote(&disk.folder.to_string_lossy());
        out.push_str(&format!("; there is a checkpoint in {folder}: the same command continues from it"));
    }
    out + "\n"
}

/// What became of states in a cache.
fn cache(cache: &CacheStatistics) -> String {
    let grown = if cache.most > cache.room {
        format!(", grown to {} for states that must be kept", count(cache.most))
    } else {
        String::new()
    };
    format!(
        "cache for {}{grown}: {} stored, {} cleared; about {} distinct states, {:.2} visits each\n",
        count(cache.room),
        count(cache.stored),
        count(cache.cleared),
        count(cache.distinct.round() as u64),
        cache.visits_per_state()
    )
}

/// Statements that no run executes, by process type.
fn unreached(answer: &Answer, style: &Style) -> String {
    let Some(unreached) = answer.unreached.as_ref().filter(|u| !u.is_empty()) else {
        return String::new();
    };
    let mut out = format!("unreached: {}\n", plural(unreached.len(), "statement"));
    let shown = if style.full { unreached.len() } else { 12 };
    let mut last = "";
    for entry in unreached.iter().take(shown) {
        if entry.process != last {
            out.push_str(&format!("  in {}\n", entry.process));
            last = &entry.process;
        }
        out.push_str(&unreached_line(entry));
    }
    if unreached.len() > shown {
        out.push_str(&format!("    ... {} more; --full shows all\n", unreached.len() - shown));
    }
    out
}

fn unreached_line(entry: &Unreached) -> String {
    let place = entry.location.as_ref().map(|l| format!("line {:<4} ", l.line)).unwrap_or_default();
    format!("    {place} {}\n", entry.statement)
}
