//! One direction of a pair of local sockets: a stream, or messages that keep their boundaries.
//!
//! How much fits depends on what the kernel spends on each message; to leave more
//! unread than surely fits is reported as not modelled.

use super::super::Effect;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Stream,
    Packets,
    Datagrams,
}

/// This many messages and bytes fit on every Linux.
const MESSAGES: usize = 100;
const DATAGRAMS: usize = 10;
const BYTES: usize = 65_536;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Socket {
    pub(super) style: Style,
    messages: VecDeque<VecDeque<u8>>,
    /// No process writes or reads any more, by `shutdown`.
    pub(super) shut: bool,
    pub(super) deaf: bool,
    /// The other side was closed before it had read everything.
    pub(super) reset: bool,
}

impl Socket {
    pub(super) fn new(style: Style) -> Socket {
        Socket { style, messages: VecDeque::new(), shut: false, deaf: false, reset: false }
    }

    pub(super) fn is_unread(&self) -> bool {
        !self.messages.is_empty()
    }

    pub(super) fn length(&self) -> usize {
        match self.style {
            Style::Stream => self.messages.iter().map(VecDeque::len).sum(),
            _ => self.messages.front().map_or(0, VecDeque::len),
        }
    }

    pub(super) fn write(&mut self, data: &[u8]) -> Effect {
        let most = if self.style == Style::Datagrams { DATAGRAMS } else { MESSAGES };
        let unread: usize = self.messages.iter().map(VecDeque::len).sum();
        if self.messages.len() >= most || unread + data.len() > BYTES {
            return Effect { unmodelled: Some("a full socket"), ..Effect::default() };
        }
        if !data.is_empty() || self.style != Style::Stream {
            self.messages.push_back(data.iter().copied().collect());
        }
        super::result(data.len())
    }

    pub(super) fn read(&mut self, most: usize, looks: bool) -> Effect {
        if !self.is_unread() {
            let reset = std::mem::take(&mut self.reset);
            return Effect::of(if reset { -libc::ECONNRESET } else { 0 });
        }
        let before = looks.then(|| self.messages.clone());
        let mut taken = Vec::new();
        while let Some(message) = self.messages.front_mut() {
            let n = message.len().min(most - taken.len());
            taken.extend(message.drain(..n));
            let whole = self.style != Style::Stream;
            if whole || message.is_empty() {
                self.messages.pop_front();
            }
            if whole || taken.len() == most {
                break;
            }
        }
        if let Some(before) = before {
            self.messages = before;
        }
        super::bytes(taken)
    }
}
