//! Whether a condition of a transition holds in a state, if that is known.

use crate::footprint::Source;
use crate::object_table::{Key, Objects, Op};
use crate::role::Condition;
use crate::{Node, Snapshot, is_unclear};
use objects::Operation as On;
use objects::channel::Operation as OnChannel;
use system::ObjectId;

/// How one sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Truth {
    #[default]
    Unknown,
    /// No process is younger.
    Youngest,
    /// By a conjunct of the guard.
    Conjunct(usize),
    /// The channel has fewer messages than this.
    Room(ObjectId, usize),
    Message(ObjectId),
    /// All that can be seen is that there is no message.
    NoMessage(ObjectId),
}

impl Truth {
    /// `capacity` is that of channels.
    pub fn of(objects: &Objects, condition: &Condition, capacity: impl Fn(ObjectId) -> usize) -> Truth {
        if condition.youngest {
            return Truth::Youngest;
        }
        if condition.timeout || is_unclear(condition.source) || condition.partner {
            return Truth::Unknown;
        }
        if let Source::Guard(conjunct) = condition.source {
            return Truth::Conjunct(conjunct);
        }
        // Which channel it is, only the state in which the process gets there may tell.
        if condition.uses.iter().any(|u| objects.key(u.object) == Key::Escaped) {
            return Truth::Unknown;
        }
        let channel = condition.uses.iter().find_map(|u| {
            match (objects.key(u.object), objects.operation(u.object, u.operation)?) {
                (Key::Channel(o), Op::On(On::Channel(operation))) => Some((o, *operation)),
                _ => None,
            }
        });
        match channel {
            Some((o, OnChannel::Send | OnChannel::SortedSend)) => Truth::Room(o, capacity(o)),
            Some((o, OnChannel::Receive)) => Truth::Message(o),
            Some((
                o,
                OnChannel::MatchingReceive
                | OnChannel::RandomReceive
                | OnChannel::CopyingReceive
                | OnChannel::RandomCopy,
            )) => Truth::NoMessage(o),
            _ => Truth::Unknown,
        }
    }

    /// For a transition, where `processes` live.
    pub fn tell(self, snapshot: &mut impl Snapshot, at: Node, processes: usize) -> Option<bool> {
        match self {
            Truth::Unknown => None,
            Truth::Youngest => Some(at.process + 1 == processes),
            Truth::Conjunct(conjunct) => snapshot.holds(at.process, at.transition, conjunct),
            Truth::Room(channel, capacity) => Some(snapshot.length(channel) < capacity),
            Truth::Message(channel) => Some(snapshot.length(channel) > 0),
            Truth::NoMessage(channel) => (snapshot.length(channel) == 0).then_some(false),
        }
    }
}
