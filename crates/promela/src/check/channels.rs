//! How many fields a message has, compared with what its channel was declared for.
//!
//! Only where the channel is known: its variable was declared with `= [n] of { … }` and is never
//! assigned. SPIN finds most of these while it runs, and names neither the channel nor the field
//! (its issue 26).

use source::{Diagnostic, Span};

use super::Checker;
use crate::model::*;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Send,
    Receive,
    /// `c?[…]`, which may look at the first fields only.
    Poll,
}

pub(super) struct ChannelUse {
    process: ProcessId,
    channel: Place,
    way: Use,
    count: usize,
}

impl Checker {
    pub(super) fn use_channel(&mut self, channel: &Place, way: Use, count: usize) {
        let process = self.frame.process;
        self.channel_uses.push(ChannelUse { process, channel: channel.clone(), way, count });
    }

    /// A channel variable gets a new value.
    pub(super) fn channel_changes(&mut self, place: &Place) {
        if place.ty == Type::Chan {
            self.assigned_channels.push((self.frame.process, place.root));
        }
    }

    pub(super) fn check_channel_uses(&mut self) {
        for used in std::mem::take(&mut self.channel_uses) {
            if let Some((name, channel)) = self.known_channel(&used) {
                self.check_count(&used, &name, &channel);
            }
        }
    }

    fn known_channel(&self, used: &ChannelUse) -> Option<(String, Channel)> {
        let (variable, owner) = match used.channel.root {
            Root::Global(id) => (self.model.globals.get(id)?, None),
            Root::Local(id) => (self.model.processes[used.process].locals.get(id)?, Some(used.process)),
            Root::Nowhere => return None,
        };
        let changes = self
            .assigned_channels
            .iter()
            .any(|(process, root)| *root == used.channel.root && owner.is_none_or(|owner| owner == *process));
        match &variable.initial {
            Initial::Channel(channel) if !changes && used.channel.fields.is_empty() => {
                Some((variable.name.to_string(), channel.clone()))
            }
            _ => None,
        }
    }

    fn check_count(&mut self, used: &ChannelUse, name: &str, channel: &Channel) {
        let (wanted, given) = (channel.fields.len(), used.count);
        let span: Span = used.channel.span;
        let message = match used.way {
            _ if wanted == given => return,
            Use::Poll if given < wanted => return,
            Use::Send => format!("a message of `{name}` has {wanted} fields, {given} are sent"),
            Use::Receive | Use::Poll => {
                format!("a message of `{name}` has {wanted} fields, {given} are received")
            }
        };
        let diagnostic = if given > wanted {
            Diagnostic::error("E0319", span, message).label(format!("there is no field {}", wanted + 1))
        } else {
            Diagnostic::error("E0319", span, message).label(format!("field {} is missing", given + 1))
        };
        self.diagnostics.push(diagnostic.also(channel.span, "the channel is declared here"));
    }
}
