//! Happens-before, without clocks: for the last access of each thread to each plain field, the set
//! of threads, monitors, volatile fields and classes that know of it.
//!
//! A release tells a monitor all that its thread knows, an acquire tells the thread all that the
//! monitor knows. An access races with one that its thread does not know of. Only the last access
//! of a thread counts: one that is ordered after it is ordered after all earlier ones. (JLS 17.4.5;
//! `final` is no edge.)

/// Bits of threads begin at 0.
const OBJECTS: u32 = 8;
const STATICS: u32 = 64;
const CLASSES: u32 = 96;
const FIELDS: u32 = 104;
/// More objects have no bits.
pub const MOST_OBJECTS: usize = 24;
pub const MOST_THREADS: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Access {
    place: u16,
    thread: u8,
    write: bool,
    known_to: u128,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Known(Vec<Access>);

/// What passes knowledge between threads: each keeps what it knows of accesses.
#[derive(Debug, Clone, Copy)]
pub enum Who {
    Thread(u8),
    /// A monitor, a lock or an atomic variable.
    Object(u8),
    /// A volatile static field, by its number.
    Static(usize),
    Class(usize),
    /// The volatile field of an object.
    Field(u8),
}

impl Who {
    fn bit(self) -> u128 {
        1 << match self {
            Who::Thread(thread) => u32::from(thread),
            Who::Object(object) => OBJECTS + u32::from(object),
            Who::Static(field) => STATICS + field as u32,
            Who::Class(class) => CLASSES + class as u32,
            Who::Field(object) => FIELDS + u32::from(object),
        }
    }
}

impl Known {
    /// All that `from` knows, `to` knows from now on.
    pub fn tell(&mut self, from: Who, to: Who) {
        for access in self.0.iter_mut().filter(|access| access.known_to & from.bit() != 0) {
            access.known_to |= to.bit();
        }
    }

    /// True if the access races with another one.
    pub fn access(&mut self, place: u16, thread: u8, write: bool) -> bool {
        let me = Who::Thread(thread).bit();
        let conflicts = |a: &Access| a.place == place && a.thread != thread && (write || a.write);
        let races = self.0.iter().any(|a| conflicts(a) && a.known_to & me == 0);
        self.0.retain(|a| !(a.place == place && a.thread == thread && (write || !a.write)));
        self.0.push(Access { place, thread, write, known_to: me });
        races
    }

    /// Forgets what all living threads know, and puts the rest in order.
    pub fn tidy(&mut self, live: u128) {
        self.0.retain(|access| access.known_to & live != live);
        self.0.sort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_monitor_orders_and_nothing_else_does() {
        let mut known = Known::default();
        assert!(!known.access(1, 0, true));
        assert!(known.clone().access(1, 1, false), "nothing orders them");
        known.tell(Who::Thread(0), Who::Object(3));
        known.tell(Who::Object(3), Who::Thread(1));
        assert!(!known.access(1, 1, false));
        assert!(known.access(1, 0, true), "the read is not known to the writer");
    }

    #[test]
    fn two_reads_do_not_race() {
        let mut known = Known::default();
        assert!(!known.access(1, 0, false));
        assert!(!known.access(1, 1, false));
    }
}
