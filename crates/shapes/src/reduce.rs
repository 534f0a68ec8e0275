//! Fewer interleavings: locations that a thread leaves at once, and objects that nothing can reach.
//!
//! What the properties asked for can see decides which locations are *transient*
//! (`structures::transient`): they are passed without a state. Individuals that no thread can reach
//! are forgotten if the properties cannot speak of them. The argument in full is in
//! docs/internals/shapes/reduction.md.

use logic::ltl;
use structures::formula::Formula;
use structures::model::{Claim, Group, Model};
use structures::newcomer::Newcomer;
use structures::transient;
use structures::vocabulary::Symbol;

/// Sets what may be passed and forgotten if these properties are asked for, by name.
pub fn reduce(model: &mut Model, asked: &[String]) {
    let Some(seen) = seen(model, asked) else { return };
    let whole = |group: &Group| group.who.is_none() && is_whole(model, group);
    if !model.fairness.iter().all(whole) {
        return;
    }
    // Who goes on to an access earlier than in some run is still there when the other access comes,
    // and accesses that may race are no movers: data races see no place that is passed.
    let named = || model.properties.iter().filter(|p| asked.contains(&p.name));
    let only_races = !asked.is_empty() && named().all(|p| matches!(p.claim, Claim::Race { .. }));
    // What a thread does at once it may have left undone, or done later: others, which wait
    // for what it has, are enabled otherwise then, and fairness depends on that.
    let fair = !model.fairness.is_empty() && named().any(|p| matches!(p.claim, Claim::Ltl { .. }));
    if !fair {
        model.transient = transient::locations(model, if only_races { &[] } else { &seen });
    }
    if let Some(roots) = &model.roots {
        let groups = transient::groups(model);
        let absent = |s: Symbol| {
            roots.absent.contains(&s) || groups.iter().any(|(p, g)| *p == s && g.is_subset(&roots.absent))
        };
        let steady = |s: Symbol| model.vocabulary.get(s).definition.is_none() || absent(s);
        let forgotten = Newcomer { absent: &absent, steady: &steady };
        model.collects = seen.iter().all(|f| forgotten.is_ignored(f));
    }
}

/// The formulas that the properties look at; `None` if some property counts steps.
fn seen(model: &Model, asked: &[String]) -> Option<Vec<Formula>> {
    let mut seen = Vec::new();
    for property in model.properties.iter().filter(|p| asked.contains(&p.name)) {
        match &property.claim {
            Claim::Invariant(f) | Claim::Race { bad: f, .. } => seen.push(f.clone()),
            Claim::Ltl { formula, letters } if is_stutter_free(formula) => {
                seen.extend(letters.iter().cloned())
            }
            _ => return None,
        }
    }
    Some(seen)
}

/// Without *next* and past, a formula cannot tell how often a state is repeated.
fn is_stutter_free(f: &ltl::Formula<usize>) -> bool {
    use ltl::{Binary, Unary};
    match f {
        ltl::Formula::Constant(_) | ltl::Formula::Atom(_) => true,
        ltl::Formula::Unary(op, a) => {
            matches!(op, Unary::Not | Unary::Always | Unary::Eventually) && is_stutter_free(a)
        }
        ltl::Formula::Binary(op, a, b) => {
            let fine = matches!(
                op,
                Binary::And
                    | Binary::Or
                    | Binary::Implies
                    | Binary::Iff
                    | Binary::Until
                    | Binary::WeakUntil
                    | Binary::Release
            );
            fine && is_stutter_free(a) && is_stutter_free(b)
        }
    }
}

/// Whether a group of actions is everything that some kinds of threads do.
fn is_whole(model: &Model, group: &Group) -> bool {
    (0..model.threads.len()).all(|kind| {
        let mut own = (0..model.actions.len()).filter(|a| model.actions[*a].thread == Some(kind));
        let first = own.next().map(|a| group.actions.contains(&a));
        own.all(|a| Some(group.actions.contains(&a)) == first)
    })
}
