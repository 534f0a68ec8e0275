//! The control of a thread of `fuzz-prove`: its edges from location to location, with their
//! fairness.

use super::model::*;

/// An edge of a thread: a statement, or a test with two ways out.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub act: Act,
    pub to: usize,
    pub fairness: Fairness,
}

#[derive(Clone, Debug)]
pub enum Act {
    Do(Statement),
    /// Where it leads if the test is false.
    Branch(Test, usize),
    When(Test, Statement),
}

/// The edges of a thread. Locations are numbered as their labels are; the end has the highest
/// number.
pub fn edges(system: &System, thread: &Thread) -> Vec<Edge> {
    let end = count(&thread.body);
    let mut all = Vec::new();
    let after = if thread.forever { 0 } else { end };
    sequence(&thread.body, 0, after, &mut all);
    for edge in &mut all {
        if let Act::Do(s) | Act::When(_, s) = &edge.act {
            edge.fairness = fairness(system, s);
        }
    }
    all
}

pub(super) fn count(body: &[Statement]) -> usize {
    let inside = |s: &Statement| match s {
        Statement::If(_, a, b) => count(a) + count(b),
        Statement::While(_, a) => count(a),
        _ => 0,
    };
    body.iter().map(|s| 1 + inside(s)).sum()
}

fn sequence(body: &[Statement], first: usize, after: usize, all: &mut Vec<Edge>) {
    let mut at = first;
    for (n, s) in body.iter().enumerate() {
        let behind = at + count(std::slice::from_ref(s));
        let next = if n + 1 == body.len() { after } else { behind };
        edge(s, at, next, all);
        at = behind;
    }
}

fn edge(s: &Statement, at: usize, next: usize, all: &mut Vec<Edge>) {
    let start = |body: &[Statement], first: usize| if body.is_empty() { next } else { first };
    match s {
        Statement::If(c, then, otherwise) => {
            let (yes, no) = (at + 1, at + 1 + count(then));
            let act = Act::Branch(c.clone(), start(otherwise, no));
            all.push(Edge { from: at, act, to: start(then, yes), fairness: Fairness::Just });
            sequence(then, yes, next, all);
            sequence(otherwise, no, next, all);
        }
        Statement::While(c, body) => {
            let act = Act::Branch(c.clone(), next);
            let to = if body.is_empty() { at } else { at + 1 };
            all.push(Edge { from: at, act, to, fairness: Fairness::Just });
            sequence(body, at + 1, at, all);
        }
        Statement::Or(parts) => {
            for (c, s) in parts {
                let act = Act::When(c.clone(), s.clone());
                all.push(Edge { from: at, act, to: next, fairness: Fairness::Just });
            }
        }
        s => {
            let act = Act::Do(s.clone());
            all.push(Edge { from: at, act, to: next, fairness: Fairness::Just });
        }
    }
}

fn fairness(system: &System, s: &Statement) -> Fairness {
    let most = |parts: &mut dyn Iterator<Item = &Statement>| {
        parts.map(|s| fairness(system, s)).fold(Fairness::Just, Fairness::max)
    };
    match s {
        Statement::Noncritical | Statement::Idle => Fairness::Unfair,
        Statement::Send(Chan(v, _), _) => match system.variables[*v].kind {
            Kind::Channel(Capacity::Unbounded, ..) | Kind::Channels(_, Capacity::Unbounded, ..) => {
                Fairness::Just
            }
            _ => Fairness::Compassionate,
        },
        Statement::Request(_) | Statement::Receive(..) => Fairness::Compassionate,
        Statement::Group(body) => most(&mut body.iter()),
        Statement::If(_, a, b) => most(&mut a.iter().chain(b)),
        _ => Fairness::Just,
    }
}
