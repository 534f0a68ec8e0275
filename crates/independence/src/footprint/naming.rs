//! Which channel a term names, where the text tells: a handle, or a channel variable that is never
//! written.

use super::Target;
use logic::Term;
use std::collections::BTreeSet;
use system::*;

/// The variables that some transition writes, by owner and object.
pub(super) struct Written(BTreeSet<Variable>);

impl Written {
    pub(super) fn in_system(system: &System) -> Written {
        Written(system.written())
    }

    /// The channel that a term of the process type names: where it is, and its declaration.
    pub(super) fn channel<'a>(
        &self,
        system: &'a System,
        process_type: ProcessTypeId,
        term: &Expr,
    ) -> Option<(Target, &'a Object)> {
        let handle = match term {
            Term::Constant(handle) => return channel_number(system, *handle),
            Term::Atom(Read::Handle(root)) => root,
            Term::Atom(Read::Place(place)) => self.unwritten(system, process_type, place)?,
            _ => return None,
        };
        match handle {
            Root::Global(o) => Some((Target::Global(*o), system.globals.get(*o)?)),
            Root::Local(o) => {
                Some((Target::Local(*o), system.process_types.get(process_type)?.objects.get(*o)?))
            }
            Root::Remote { .. } => None,
        }
    }

    /// The handle that a variable begins with and keeps.
    fn unwritten<'a>(
        &self,
        system: &'a System,
        process_type: ProcessTypeId,
        place: &Place,
    ) -> Option<&'a Root> {
        let (owner, object) = match &place.root {
            Root::Global(o) => ((None, *o), system.globals.get(*o)?),
            Root::Local(o) => {
                ((Some(process_type), *o), system.process_types.get(process_type)?.objects.get(*o)?)
            }
            Root::Remote { .. } => return None,
        };
        let ObjectKind::Variable { initial, .. } = &object.kind else { return None };
        if self.0.contains(&owner) {
            return None;
        }
        let part = place.path.iter().try_fold(initial, |initial, access| match (initial, access) {
            (Initial::Each(one), Access::Index(_)) => Some(one.as_ref()),
            (Initial::Parts(parts), Access::Field(k)) => parts.get(*k),
            (Initial::Parts(parts), Access::Index(Term::Constant(c))) => parts.get(usize::try_from(*c).ok()?),
            _ => None,
        })?;
        match part {
            Initial::Term(Term::Atom(Read::Handle(root))) => Some(root),
            _ => None,
        }
    }
}

fn channel_number(system: &System, handle: i64) -> Option<(Target, &Object)> {
    let position = usize::try_from(handle).ok()?.checked_sub(1)?;
    let (id, object) = system.globals.iter().enumerate().filter(|(_, o)| o.is_channel()).nth(position)?;
    Some((Target::Global(id), object))
}
