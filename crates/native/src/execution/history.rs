//! The accesses to memory in a run, by place, and which of them a new one meets: the same memory,
//! one of the two writes, one of them is plain, and nothing orders them.
//!
//! An entry is forgotten only for a later one of the same thread, place in the code, range and kind
//! (or a write for a read): whatever is unordered with the earlier one is unordered with the later
//! one. What was ordered before a write is kept too: a third access may be unordered with it.
//!
//! **Blocks of the heap.** To free a block is to write all of it. That a block is given out anew
//! orders it behind its end, for threads that know that it was given out. Other threads use a
//! block that was freed.
//!
//! **Objects of threads.** An operation on a lock or its like is an access to its memory, too, as
//! atomic ones are: it conflicts with what writes or frees that memory, and with nothing else. It
//! is ordered as the operation is.

use super::identities::Call;
use super::races::{Clock, at};
use explore::stateless::{Race, Spot, Way};
use objects::Tid;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// How an access is seen: not at all, as a transition because it races, or as one because it is
/// atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Hidden,
    Visible,
    Atomic,
    /// In the child of a fork: as if its parent had read that when it forked.
    Inherited,
}

/// What the instrumented program tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// An access that is no transition.
    Plain,
    /// No access: a block begins here.
    Renewal,
    /// The comparison just before, a transition, has written.
    Found,
    /// No access: an identity of this class is given out or back.
    Identity(Call),
}

/// An access, or what is reported beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    /// The address of the first byte.
    pub at: u64,
    /// In bytes.
    pub size: u32,
    /// How the memory is accessed.
    pub way: Way,
    /// The address of the instruction.
    pub pc: u64,
    /// What is reported besides the access.
    pub reported: Notice,
}

/// An access at a place in memory, which is a space and an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) space: u64,
    pub(super) start: u64,
    pub(super) size: u32,
    pub(super) way: Way,
    pub(super) pc: u64,
    pub(super) sort: Sort,
    /// If it is atomic and writes: it reads, too.
    pub(super) updates: bool,
}

impl Access {
    pub(super) fn is_atomic(&self) -> bool {
        self.sort == Sort::Atomic
    }

    /// An atomic read comes behind what was done before the write that it reads.
    pub(super) fn acquires(&self) -> bool {
        self.is_atomic() && (self.way == Way::Read || self.updates)
    }
}

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meeting {
    /// Who did the first.
    pub(super) with: Tid,
    pub(super) race: Race,
    /// Where they overlap.
    pub(super) start: u64,
    /// Which of the two are not visible.
    pub(super) hidden: [bool; 2],
    /// Who did the first is dead, as the other knows: the access came before, if at all.
    pub(super) dead: bool,
    /// The child of a fork got what was there, or not.
    pub(super) inherited: bool,
    /// The first takes more than one step.
    pub(super) torn: bool,
}

#[derive(Clone, Copy, Debug)]
struct Past {
    who: Tid,
    when: u32,
    start: u64,
    end: u64,
    way: Way,
    sort: Sort,
    pc: u64,
    /// Who got the memory anew since, and when.
    renewed: Option<(Tid, u32)>,
}

/// The accesses of a run.
#[derive(Debug, Default)]
pub(super) struct History {
    memory: HashMap<(u64, u64), Vec<Past>>,
    /// Accesses to long ranges, by space.
    wide: BTreeMap<u64, Vec<Past>>,
}

const GRANULE: u64 = 8;
/// A range longer than this is not kept by granules.
const LONGEST: u64 = 4096;

impl History {
    /// An access by a thread with this clock; the races it is part of.
    pub(super) fn access(&mut self, who: Tid, clock: &Clock, access: &Access) -> Vec<Meeting> {
        let Access { space, start, way, sort, pc, .. } = *access;
        let end = start.saturating_add(u64::from(access.size).max(1));
        let new = Past { who, when: at(clock, who), start, end, way, sort, pc, renewed: None };
        let granules = granules(&(start..end));
        let wide = self.wide.entry(space).or_default();
        let mut met = new.meet(clock, wide);
        if end - start > LONGEST {
            let inside =
                self.memory.iter_mut().filter(|((s, granule), _)| *s == space && granules.contains(granule));
            met.extend(inside.flat_map(|(_, past)| new.meet(clock, past)));
            wide.push(new);
        } else {
            for granule in granules {
                let past = self.memory.entry((space, granule)).or_default();
                met.extend(new.meet(clock, past));
                past.push(new);
            }
        }
        met.dedup();
        met
    }

    /// A thread gets this memory anew.
    pub(super) fn renew(&mut self, by: (Tid, u32), space: u64, range: Range<u64>) {
        let granules = granules(&range);
        // What lies across its ends is renewed in the granules within.
        let renew = |granule: u64, past: &mut Vec<Past>| {
            let (first, last) = (granule * GRANULE, (granule + 1) * GRANULE);
            let within = |p: &&mut Past| range.start <= p.start.max(first) && p.end.min(last) <= range.end;
            past.iter_mut().filter(within).for_each(|p| p.renewed = Some(by));
        };
        if let Some(wide) = self.wide.get_mut(&space) {
            *wide = wide.iter().flat_map(|p| p.renewed_in(&range, by)).collect();
        }
        if (range.end - range.start) / GRANULE > self.memory.len() as u64 {
            let inside = self.memory.iter_mut().filter(|((s, g), _)| *s == space && granules.contains(g));
            inside.for_each(|((_, granule), past)| renew(*granule, past));
        } else {
            for granule in granules {
                self.memory.get_mut(&(space, granule)).into_iter().for_each(|past| renew(granule, past));
            }
        }
    }
}

fn granules(range: &Range<u64>) -> std::ops::RangeInclusive<u64> {
    range.start / GRANULE..=range.end.saturating_sub(1).max(range.start) / GRANULE
}

impl Past {
    fn writes(&self) -> bool {
        matches!(self.way, Way::Write | Way::Free | Way::Init)
    }

    /// Whether a processor needs several steps for it.
    fn is_torn(&self) -> bool {
        let size = self.end - self.start;
        let whole = size <= 8 && size.is_power_of_two() && self.start.is_multiple_of(size);
        matches!(self.way, Way::Read | Way::Write) && self.sort != Sort::Atomic && !whole
    }

    /// Its parts: before this range, within, where it is renewed, and behind.
    fn renewed_in(&self, range: &Range<u64>, by: (Tid, u32)) -> Vec<Past> {
        let part = |start: u64, end: u64, renewed| Past { start, end, renewed, ..*self };
        let (start, end) = (self.start.max(range.start), self.end.min(range.end));
        if start >= end {
            return vec![*self];
        }
        let all = [
            part(self.start, start, self.renewed),
            part(start, end, Some(by)),
            part(end, self.end, self.renewed),
        ];
        all.into_iter().filter(|p| p.start < p.end).collect()
    }

    fn spot(&self) -> Spot {
        Spot { pc: self.pc, way: self.way, atomic: self.sort == Sort::Atomic }
    }

    /// Whether it comes before what a thread with this clock does.
    fn is_before(&self, who: Tid, clock: &Clock) -> bool {
        let knows = |(other, when): (Tid, u32)| other == who || at(clock, other) >= when;
        knows((self.who, self.when)) || self.renewed.is_some_and(knows)
    }

    fn conflicts(&self, other: &Past) -> bool {
        let atomic = self.sort == Sort::Atomic && other.sort == Sort::Atomic;
        self.start < other.end && other.start < self.end && (self.writes() || other.writes()) && !atomic
    }

    /// What of the past it races with; what it makes superfluous is forgotten.
    fn meet(&self, clock: &Clock, past: &mut Vec<Past>) -> Vec<Meeting> {
        let mut met = Vec::new();
        past.retain(|p| {
            if p.conflicts(self) && !p.is_before(self.who, clock) {
                met.push(Meeting {
                    with: p.who,
                    race: Race { first: p.spot(), second: self.spot() },
                    start: self.start.max(p.start),
                    hidden: [p.sort == Sort::Hidden, self.sort == Sort::Hidden],
                    dead: false,
                    inherited: p.sort == Sort::Inherited || self.sort == Sort::Inherited,
                    torn: p.is_torn(),
                });
            }
            !self.replaces(p)
        });
        met
    }

    /// Whatever meets the other one later meets this one too.
    fn replaces(&self, p: &Past) -> bool {
        p.when <= self.when
            && (p.way == self.way || p.way == Way::Read)
            && (p.who, p.pc, p.start, p.end, p.sort) == (self.who, self.pc, self.start, self.end, self.sort)
    }
}
