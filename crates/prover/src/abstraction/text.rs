//! An abstract program in words: each statement as in Fig. 16 of the tutorial, and the whole as a
//! transition system that `weave` reads again.

use logic::fol::Term;
use std::fmt::Write;
use system::fts::{Branch, Fairness, Fts, Mode, Transition};

/// What a transition does to data, as a statement of SPL.
pub fn statement(fts: &Fts, t: &Transition) -> String {
    let control = |name: &str| fts.variable(name).is_some_and(|v| v.mode == Mode::Control);
    let way = |b: &Branch| {
        let data = b.guard.conjuncts().into_iter().filter(|e| !e.symbols().keys().all(|name| control(name)));
        let guard = Term::all(data.collect::<Vec<_>>());
        let changed: Vec<_> = b.updates.iter().filter(|(s, _)| !control(&s.name)).collect();
        let names: Vec<String> = changed.iter().map(|(s, _)| s.name.to_string()).collect();
        let values: Vec<String> = changed.iter().map(|(_, e)| e.to_string()).collect();
        let assigns = match (&names[..], &values[..]) {
            ([], _) => String::new(),
            ([name], [value]) => format!("{name} := {value}"),
            _ => format!("({}) := ({})", names.join(", "), values.join(", ")),
        };
        match (guard.is_true(), assigns.is_empty()) {
            (true, true) => "skip".to_string(),
            (true, false) => assigns,
            (false, true) => format!("await ({guard})"),
            (false, false) => format!("when {guard} do {assigns}"),
        }
    };
    t.branches.iter().map(way).collect::<Vec<_>>().join(" or ")
}

/// The name of a transition as the language allows it: a statement without a label has one that
/// cannot be written.
fn named(fts: &Fts, t: &Transition) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    let mut name: String = t.name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    while name != t.name && fts.transitions.iter().any(|other| other.name == name) {
        name.push('_');
    }
    name
}

/// The whole system in the language of `.fts` files.
pub fn as_fts(fts: &Fts) -> String {
    let mut text = "Transition System\n".to_string();
    for v in &fts.variables {
        let last = fts.threads.iter().find(|t| t.control.name == v.symbol.name).map(|t| t.locations.len());
        match (v.mode, last) {
            (Mode::Control, Some(locations)) => {
                let _ = writeln!(text, "local {} : [-1..{}]", v.symbol.name, locations.max(1));
            }
            _ => {
                let _ = writeln!(text, "local {} : {}", v.symbol.name, v.symbol.sort);
            }
        }
    }
    let _ = writeln!(text, "Initially {}", fts.initial);
    for t in &fts.transitions {
        let fairness = match t.fairness {
            Fairness::None => "NoFairness",
            Fairness::Weak => "Just",
            Fairness::Strong => "Compassionate",
        };
        let _ = writeln!(text, "Transition {} {fairness}:", named(fts, t));
        for (at, b) in t.branches.iter().enumerate() {
            let or = if at == 0 { "" } else { "or " };
            let _ = writeln!(text, "  {or}enable {}", b.guard);
            let updates: Vec<String> = b.updates.iter().map(|(s, e)| format!("{} := {e}", s.name)).collect();
            if !updates.is_empty() {
                let _ = writeln!(text, "  assign {}", updates.join(", "));
            }
        }
    }
    text
}
