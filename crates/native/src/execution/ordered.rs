//! What was done to each object of a run, as clocks: what a transition that touches it comes
//! behind.
//!
//! Objects that are ranges (memory, what is in files) may overlap: they are kept as parts that do
//! not, and a touch cuts them where it begins and ends.
//!
//! **Memory** has the order of the C standard: an atomic read comes behind what was done before the
//! write that it reads, or before one of the updates that lead from there to it (a *release
//! sequence*); a write does not come behind what it overwrites. Plain accesses that are visible
//! give more, since all orders of them are explored: they come behind all accesses that they depend
//! on, and so do atomic ones behind them. But that is learnt only after it was looked for races.

use super::history::Access as Accesses;
use super::races::{Clock, join};
use crate::operation::{Access, Class, Key, ObjectAccess};
use explore::stateless::Way;
use std::collections::BTreeMap;

/// What was done to an object, by the way it was touched.
#[derive(Clone, Debug, Default)]
struct Done {
    changed: Clock,
    read: Clock,
    posted: Clock,
}

impl Done {
    /// Comes behind all of this that it depends on.
    fn teach(&self, access: Access, clock: &mut Clock) {
        join(clock, &self.changed);
        if access != Access::Read {
            join(clock, &self.read);
        }
        if access != Access::Post {
            join(clock, &self.posted);
        }
    }

    fn enter(&mut self, access: Access, clock: &Clock) {
        let done = match access {
            Access::Change => &mut self.changed,
            Access::Read => &mut self.read,
            Access::Post => &mut self.posted,
        };
        join(done, clock);
    }
}

#[derive(Clone, Debug)]
struct Part {
    end: u64,
    done: Done,
    by_plain: Done,
    /// What an atomic read of it comes behind.
    released: Clock,
}

impl Part {
    fn new(end: u64) -> Part {
        Part { end, done: Done::default(), by_plain: Done::default(), released: Clock::new() }
    }

    /// What an access to this memory comes behind; and what it comes behind because of plain
    /// accesses, or as one.
    fn teach(&self, how: Access, access: &Accesses, (learnt, late): (&mut Clock, &mut Clock)) {
        if access.acquires() {
            join(learnt, &self.released);
        }
        if !access.is_atomic() {
            self.done.teach(how, late);
        }
        self.by_plain.teach(how, late);
    }

    fn enter(&mut self, how: Access, access: &Accesses, clock: &Clock) {
        if !access.is_atomic() {
            return self.by_plain.enter(how, clock);
        }
        self.done.enter(how, clock);
        if access.way == Way::Write || access.way == Way::Free {
            // An update has learnt what was released before.
            self.released.clone_from(clock);
        }
    }
}

/// The parts of all objects, by their beginnings.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    parts: BTreeMap<Key, Part>,
}

fn end(touch: &ObjectAccess) -> u64 {
    touch.key.at.saturating_add(u64::from(touch.length).max(1))
}

impl Ordered {
    /// What touches like these, and an access to memory among them, come behind; and what besides,
    /// once it was looked for races.
    pub(super) fn before(&mut self, touched: &[ObjectAccess], access: Option<&Accesses>) -> (Clock, Clock) {
        let (mut learnt, mut late) = (Clock::new(), Clock::new());
        for touch in touched {
            self.cover(touch);
            for (_, part) in self.parts.range(touch.key..Key { at: end(touch), ..touch.key }) {
                match access {
                    _ if touch.key.class != Class::Memory => part.done.teach(touch.access, &mut learnt),
                    Some(access) => part.teach(touch.access, access, (&mut learnt, &mut late)),
                    None => {}
                }
            }
        }
        (learnt, late)
    }

    /// A transition with this clock touches these.
    pub(super) fn done(&mut self, touched: &[ObjectAccess], access: Option<&Accesses>, clock: &Clock) {
        for touch in touched {
            for (_, part) in self.parts.range_mut(touch.key..Key { at: end(touch), ..touch.key }) {
                match access {
                    _ if touch.key.class != Class::Memory => part.done.enter(touch.access, clock),
                    Some(access) => part.enter(touch.access, access, clock),
                    None => {}
                }
            }
        }
    }

    /// What touches like these depend on, memory like everything else.
    pub(super) fn before_all(&mut self, touched: &[ObjectAccess]) -> Clock {
        let mut learnt = Clock::new();
        for touch in touched {
            self.cover(touch);
            for (_, part) in self.parts.range(touch.key..Key { at: end(touch), ..touch.key }) {
                part.done.teach(touch.access, &mut learnt);
            }
        }
        learnt
    }

    /// A transition with this clock touches these, which are covered.
    pub(super) fn done_all(&mut self, touched: &[ObjectAccess], clock: &Clock) {
        for touch in touched {
            for (_, part) in self.parts.range_mut(touch.key..Key { at: end(touch), ..touch.key }) {
                part.done.enter(touch.access, clock);
            }
        }
    }

    /// Makes parts begin and end where the touch does.
    fn cover(&mut self, touch: &ObjectAccess) {
        let end = end(touch);
        if self.parts.get(&touch.key).is_some_and(|part| part.end == end) {
            return;
        }
        self.cut(touch.key);
        self.cut(Key { at: end, ..touch.key });
        let mut gaps = Vec::new();
        let mut from = touch.key.at;
        for (key, part) in self.parts.range(touch.key..Key { at: end, ..touch.key }) {
            gaps.push((from, key.at));
            from = part.end;
        }
        gaps.push((from, end));
        for (start, end) in gaps.into_iter().filter(|(start, end)| start < end) {
            self.parts.insert(Key { at: start, ..touch.key }, Part::new(end));
        }
    }

    /// A part that lies around this place becomes two.
    fn cut(&mut self, place: Key) {
        let around = self.parts.range_mut(Key { at: 0, ..place }..place).next_back();
        let Some((_, part)) = around.filter(|(_, part)| part.end > place.at) else { return };
        let behind = part.clone();
        part.end = place.at;
        self.parts.insert(place, behind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(at: u64, length: u32, access: Access) -> ObjectAccess {
        ObjectAccess { key: Key::new(Class::Content, 7, at), length, access }
    }

    /// The clock of a thread that has done nothing but this.
    fn first(who: usize) -> Clock {
        (0..=who).map(|other| u32::from(other == who)).collect()
    }

    fn known(ordered: &mut Ordered, touch: ObjectAccess) -> Vec<usize> {
        let (clock, _) = ordered.before(&[touch], None);
        (0..clock.len()).filter(|who| clock[*who] > 0).collect()
    }

    #[test]
    fn ranges_that_overlap_are_ordered() {
        let mut all = Ordered::default();
        let change = |all: &mut Ordered, who: usize, at: u64, length: u32| {
            let touched = [touch(at, length, Access::Change)];
            all.before(&touched, None);
            all.done(&touched, None, &first(who));
        };
        change(&mut all, 1, 0, 8);
        change(&mut all, 2, 6, 8);
        assert_eq!(known(&mut all, touch(0, 6, Access::Read)), [1]);
        assert_eq!(known(&mut all, touch(7, 1, Access::Read)), [1, 2]);
        assert_eq!(known(&mut all, touch(8, 100, Access::Read)), [2]);
        assert_eq!(known(&mut all, touch(14, 100, Access::Read)), [] as [usize; 0]);
        assert_eq!(known(&mut all, touch(0, u32::MAX, Access::Read)), [1, 2]);
    }

    #[test]
    fn reads_do_not_order_reads() {
        let mut all = Ordered::default();
        let read = [touch(0, 4, Access::Read)];
        all.before(&read, None);
        all.done(&read, None, &first(1));
        assert_eq!(known(&mut all, touch(2, 4, Access::Read)), [] as [usize; 0]);
        assert_eq!(known(&mut all, touch(2, 4, Access::Change)), [1]);
    }
}
