//! Event counters (`eventfd`): a write adds, a read takes everything, or one from a counter that is
//! a semaphore.

use super::super::Effect;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    value: u64,
    semaphore: bool,
}

const MOST: u64 = u64::MAX - 1;

fn number(data: &[u8]) -> Option<u64> {
    data.get(..8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
}

impl Event {
    pub(super) fn new(value: u64, semaphore: bool) -> Event {
        Event { value, semaphore }
    }

    pub(super) fn can_read(&self) -> bool {
        self.value > 0
    }

    pub(super) fn has_room(&self) -> bool {
        self.value < MOST
    }

    pub(super) fn can_write(&self, data: &[u8]) -> bool {
        number(data).is_none_or(|n| n == u64::MAX || MOST - self.value >= n)
    }

    /// Whether this write and another such one fit, in any order.
    pub(super) fn has_much_room(&self, data: &[u8]) -> bool {
        number(data).is_none_or(|n| n <= MOST / 2 && self.value <= MOST / 2 - n)
    }

    pub(super) fn read(&mut self) -> u64 {
        let taken = if self.semaphore { 1 } else { self.value };
        self.value -= taken;
        taken
    }

    pub(super) fn write(&mut self, data: &[u8]) -> Effect {
        match number(data) {
            None | Some(u64::MAX) => Effect::of(-libc::EINVAL),
            Some(n) => {
                self.value += n;
                Effect::of(8)
            }
        }
    }
}
