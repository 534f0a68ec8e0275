//! Channel assertions (`xr`, `xs`: exclusive use) that a run violates. An assertion never changes a
//! verdict here; a false one is worth a warning, since it does change SPIN's.
//!
//! Only global channels are looked at: those of a process are its own unless it hands them out.

use crate::model::Model;
use source::Diagnostic;
use std::collections::BTreeSet;
use system::evaluate::{Context, evaluate};
use system::{Exclusive, Pid, Reference};

/// The uses seen in a search: (channel, sends, process), a global channel being its position among
/// the global channels.
pub type Uses = BTreeSet<(usize, bool, Pid)>;

pub fn warnings(model: &Model, uses: &Uses) -> Vec<Diagnostic> {
    model.system.exclusive.iter().filter_map(|claim| warning(model, uses, claim)).collect()
}

/// Who was seen to use the channel of a claim, if it is a global one.
pub fn users(model: &Model, uses: &Uses, claim: &Exclusive) -> Option<Vec<Pid>> {
    let channel = global_channel(model, claim)?;
    let mine = uses.iter().filter(|(c, sends, _)| *c == channel && *sends == claim.sends);
    Some(mine.map(|(_, _, pid)| *pid).collect())
}

fn warning(model: &Model, uses: &Uses, claim: &Exclusive) -> Option<Diagnostic> {
    let users: Vec<String> =
        users(model, uses, claim)?.into_iter().map(|pid| format!("process {pid}")).collect();
    if users.len() < 2 {
        return None;
    }
    let (word, verb) = if claim.sends { ("xs", "send to") } else { ("xr", "receive from") };
    let message = format!("this `{word}` is false: several processes {verb} the channel");
    Some(
        Diagnostic::warning("exclusive", claim.span, message)
            .label(format!("{} do", users.join(", ")))
            .note("weave does not rely on it: the verdict is right in any case"),
    )
}

/// The position among the global channels of the one that the claim is about.
fn global_channel(model: &Model, claim: &Exclusive) -> Option<usize> {
    let initial = Reference::new(&model.system).initial().ok()?;
    let handle = evaluate(&Context::global(&model.system, &initial), &claim.channel).ok()?;
    let (owner, object) = initial.channel(&model.system, &handle)?;
    let before = model.system.globals.iter().take(object).filter(|o| o.is_channel()).count();
    owner.is_none().then_some(before)
}
