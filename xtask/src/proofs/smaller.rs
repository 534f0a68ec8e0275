//! Smaller systems about which weave is still wrong: parts are left out one after the other. What
//! makes no sense any more (a label that is gone) is refused, and so it is not smaller.

use super::model::*;

/// The smallest system reached for which `persists` holds; at most `patience` questions are asked.
pub fn shrink(system: &System, patience: usize, mut persists: impl FnMut(&System) -> bool) -> System {
    let (mut best, mut asked, mut at) = (system.clone(), 0, 0);
    while asked < patience {
        let cuts = cuts(&best);
        let Some(smaller) = cuts.get(at) else { break };
        asked += 1;
        if persists(smaller) {
            best = smaller.clone();
        } else {
            at += 1;
        }
    }
    best
}

/// Systems with one part less, big parts first.
fn cuts(system: &System) -> Vec<System> {
    let mut all = Vec::new();
    let mut without = |change: &dyn Fn(&mut System)| {
        let mut smaller = system.clone();
        change(&mut smaller);
        all.push(smaller);
    };
    for n in 0..system.claims.len() {
        if system.claims.len() > 1 {
            without(&|s| s.claims = vec![s.claims[n].clone()]);
        }
    }
    for n in 0..system.claims.len() {
        if let Claim::Each(_, claim) = &system.claims[n] {
            without(&|s| s.claims[n] = (**claim).clone());
        }
    }
    for change in options(system) {
        without(&change);
    }
    for n in 0..system.transitions.len() {
        if system.transitions.len() > 1 {
            without(&|s| drop(s.transitions.remove(n)));
        }
        for case in 0..system.transitions[n].cases.len() {
            without(&|s| drop(s.transitions[n].cases.remove(case)));
            without(&|s| s.transitions[n].cases[case].enable = None);
        }
    }
    for n in 0..system.threads.len() {
        if n > 0 {
            without(&|s| s.threads.truncate(n));
        }
        without(&|s| s.threads[n].replicated = false);
        without(&|s| s.threads[n].forever = false);
        for body in bodies(&system.threads[n].body) {
            without(&|s| s.threads[n].body = body.clone());
        }
    }
    all.retain(|s| !s.threads.is_empty() || !s.transitions.is_empty());
    all.retain(|s| format!("{s:?}") != format!("{system:?}"));
    all
}

/// What a system may do without.
fn options(system: &System) -> Vec<fn(&mut System)> {
    let mut all: Vec<fn(&mut System)> = Vec::new();
    if system.axiom.is_some() {
        all.push(|s| s.axiom = None);
    }
    if !system.functions.is_empty() {
        all.push(|s| s.functions.clear());
    }
    if system.initially.is_some() {
        all.push(|s| s.initially = None);
    }
    if system.variables.len() > 1 {
        all.push(drop_last);
    }
    all
}

/// The last variable, if nothing speaks of it any more.
fn drop_last(system: &mut System) {
    let last = system.variables.len() - 1;
    let Some(variable) = system.variables.pop() else { return };
    let text = format!("{system:?}");
    let speaks = ["Var", "Next", "Named", "Choose", "Produce", "Consume", "Element", "Chan"]
        .iter()
        .any(|word| text.contains(&format!("{word}({last}")));
    let whole = text.contains("Arrays(") || text.contains("Array(") || text.contains("Record");
    if speaks || whole {
        system.variables.push(variable);
    }
}

/// Bodies with one statement less, or with a part of one in its place.
fn bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (n, s) in body.iter().enumerate() {
        let with = |parts: &[Statement]| [&body[..n], parts, &body[n + 1..]].concat();
        if body.len() > 1 {
            all.push(with(&[]));
        }
        match s {
            Statement::If(_, a, b) => all.extend([with(a), with(b)]),
            Statement::While(_, a) => all.push(with(a)),
            Statement::Or(parts) => {
                all.extend(parts.iter().map(|(_, s)| with(std::slice::from_ref(s))));
            }
            Statement::Group(parts) => {
                let fewer = bodies(parts).into_iter().map(Statement::Group);
                all.extend(fewer.map(|s| with(&[s])));
                all.extend(parts.iter().map(|s| with(std::slice::from_ref(s))));
            }
            Statement::Skip => {}
            _ => all.push(with(&[Statement::Skip])),
        }
    }
    all.retain(|body| !body.is_empty());
    all
}
