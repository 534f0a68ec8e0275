//! What a predicate says of a Java program: the one place that reads the names that the translation
//! of Java gives to predicates. Variables of a state and pictures of objects are made of this.

use structures::model::Model;
use structures::vocabulary::{Attribute, Predicate};

/// What a predicate says of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning<'a> {
    /// A thread is here: `Flow:12`, `Flow:12.2`, `Flow.end`.
    Place(&'a str),
    /// Who has a monitor or lock.
    Held,
    /// Which threads wait to be notified.
    Waiting,
    /// On what they wait.
    WaitsOn,
    /// What a thread that was made of it executes.
    Target,
    /// The object of a class, as `Stack.class` names it.
    Class(&'a str),
    /// A field, by the name of its class and its own.
    Field(&'a str),
    /// A local variable of a kind of thread.
    Local { thread: &'a str, name: &'a str },
    /// Nothing that stands in the program.
    Nothing,
}

/// What a predicate of a Java program says.
pub(crate) fn meaning<'p>(model: &Model, predicate: &'p Predicate) -> Meaning<'p> {
    let name = predicate.name.as_str();
    let base = name.rsplit_once('=').map_or(name, |(base, _)| base);
    if model.threads.iter().any(|t| t.places.contains(&predicate.symbol)) {
        let inner = base.strip_prefix("at[").and_then(|rest| rest.strip_suffix(']'));
        return Meaning::Place(inner.unwrap_or(base));
    }
    match base {
        java::HELD => Meaning::Held,
        "waiting" => Meaning::Waiting,
        "waits_on" => Meaning::WaitsOn,
        "target" => Meaning::Target,
        _ if base.contains('[') => Meaning::Nothing,
        _ if base.ends_with(".class") => Meaning::Class(base),
        _ => match base.split_once(':') {
            // What the translation needs has no place in the text.
            Some(_) if predicate.span.start == predicate.span.end => Meaning::Nothing,
            Some((thread, name)) => Meaning::Local { thread, name: java::local_name(name) },
            None if base.contains('.') => Meaning::Field(base),
            None => Meaning::Nothing,
        },
    }
}

/// The number that a predicate gives to a variable; a number has a predicate for each value.
pub(crate) fn number(predicate: &Predicate) -> Option<&str> {
    predicate.name.rsplit_once('=').map(|(_, number)| number)
}

/// Whether there is one variable of that name for the whole program.
pub(crate) fn is_single(predicate: &Predicate) -> bool {
    predicate.symbol.arity() == 0 || predicate.attributes.contains(&Attribute::Unique)
}

/// What a predicate says of a node or between two nodes, in a few words; `None` if that stands
/// nowhere in the program.
pub(crate) fn said(model: &Model, predicate: &Predicate) -> Option<String> {
    let words = match meaning(model, predicate) {
        Meaning::Nothing => return None,
        Meaning::Place(place) => at(place),
        Meaning::Held => "locked by".to_string(),
        Meaning::Waiting => "waiting".to_string(),
        Meaning::WaitsOn => "waits on".to_string(),
        Meaning::Target => "target".to_string(),
        Meaning::Class(name) | Meaning::Local { name, .. } => name.to_string(),
        // A static field is one for all objects, so its class stands before it.
        Meaning::Field(name) if is_single(predicate) => name.to_string(),
        Meaning::Field(name) => name.rsplit('.').next().unwrap_or(name).to_string(),
    };
    Some(match number(predicate) {
        Some(number) => format!("{words} = {number}"),
        None => words,
    })
}

/// Where a thread is, in words.
fn at(place: &str) -> String {
    match place.rsplit_once(':') {
        Some((_, line)) => format!("line {}", line.split('.').next().unwrap_or(line)),
        None if place.ends_with(".end") => "has ended".to_string(),
        None => "at the beginning".to_string(),
    }
}
