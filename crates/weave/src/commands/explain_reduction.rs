//! `weave check --explain-reduction`: why each choice of a state is in the persistent set.

use crate::cli::CheckArgs;
use crate::exit::Exit;
use crate::output::{line, out};
use crate::units::plural;
use crate::{json, reproduce, trace_file};
use std::path::Path;
use workbench::executor::system::recorded;
use workbench::explain::{ChoiceReport, Explanation, VariableUse, Where, explain_reduction};
use workbench::{Failure, Model, Question};

pub(crate) fn run(args: &CheckArgs, request: &Question, at: &str) -> Result<Exit, Failure> {
    crate::interrupt::phase("reading the model");
    let model = Model::read(&args.model.request())?;
    let at = match at {
        "first" => Where::First,
        "start" => Where::Start,
        file => Where::After(recorded(&model, &trace_file::read(Path::new(file))?)?),
    };
    crate::interrupt::phase("explaining the reduction");
    let explanation = explain_reduction(&model, request, &at)?;
    let reproduce = reproduce::command();
    match args.output.json() {
        true => line(&json::explanation::result(&explanation, &reproduce, Exit::Good).to_string()),
        false => out(&text(&explanation, &at, &reproduce)),
    }
    Ok(Exit::Good)
}

fn text(e: &Explanation, at: &Where, reproduce: &str) -> String {
    if let Some(why) = &e.refused {
        return format!("REDUCTION  none: {why}\n\nreproduce: {reproduce}\n");
    }
    let left: usize = e.choices.iter().filter(|c| c.is_left_out()).count();
    let mut out = match &e.whole {
        Some(why) => format!("REDUCTION  nothing is left out: {why}\n"),
        None => format!("REDUCTION  {left} of {} enabled steps need not be explored\n", possible(e)),
    };
    out += &match (e.way.len(), at) {
        (0, _) => "\nIn the initial state:\n".to_string(),
        (n, Where::First) => format!("\nIn the first such state, after {}:\n", statements(n)),
        (n, _) => format!("\nAfter {}:\n", statements(n)),
    };
    e.choices.iter().for_each(|choice| out += &choice_line(choice));
    if !e.channels.is_empty() {
        out += "\nChannels, from here on:\n";
    }
    for c in &e.channels {
        out += &format!("  {}: {}; {}\n", c.name, who(&c.senders, "sends"), who(&c.receivers, "receives"));
    }
    if !e.variables.is_empty() {
        out += "\nGlobal variables, from here on:\n";
    }
    e.variables.iter().for_each(|v| out += &format!("  {}: {}\n", v.name, variable(v)));
    if !e.channel_assertions.is_empty() {
        out += "\nChannel assertions (weave does not rely on them):\n";
    }
    for p in &e.channel_assertions {
        let line = p.location.as_ref().map(|l| format!("line {}", l.line)).unwrap_or_default();
        let verdict = match p.broken_by.is_empty() {
            true => "true in all runs that were searched".to_string(),
            false => format!("false: {} do", p.broken_by.join(", ")),
        };
        out += &format!("  {} {line}: {verdict}\n", p.text);
    }
    out + &format!("\nreproduce: {reproduce}\n")
}

fn possible(e: &Explanation) -> usize {
    e.choices.iter().filter(|c| c.enabled).count()
}

fn statements(count: usize) -> String {
    plural(count, "statement")
}

fn choice_line(c: &ChoiceReport) -> String {
    let mark = match (c.enabled, c.is_left_out()) {
        (_, true) => "left out",
        (true, false) => "taken   ",
        (false, false) => "blocked ",
    };
    let line = c.line.map(|l| format!(" (line {l})")).unwrap_or_default();
    let reason = if c.reason.is_empty() { String::new() } else { format!("\n           {}", c.reason) };
    format!("  {mark} {} {}{line}{reason}\n", c.process, c.statement)
}

fn who(users: &[String], verb: &str) -> String {
    match users {
        [] => format!("no process {verb}"),
        [only] => format!("only {only} {verb}"),
        many => format!("{} {}", many.join(", "), verb.trim_end_matches('s')),
    }
}

fn variable(v: &VariableUse) -> String {
    let mut all: Vec<&String> = v.readers.iter().chain(&v.writers).collect();
    all.sort();
    all.dedup();
    match (&all[..], &v.writers[..]) {
        ([only], _) => format!("local to {only}"),
        (_, []) => "never written: a constant".to_string(),
        _ => format!("{}; {}", who(&v.writers, "writes"), who(&v.readers, "reads")),
    }
}
