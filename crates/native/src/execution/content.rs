//! Races through files and folders: calls that touch the same part of one, in ways that do not
//! commute, and that nothing orders.
//!
//! As with plain memory ([`super::races`]) a race makes its file visible, and the search begins
//! anew: from then on every call on it is a transition. Here writes alone are no race: two that
//! nothing orders leave something behind that depends on their order, and it is a race only when
//! something reads that, at any time. So logs that nothing reads stay out of the search.
//!
//! A file in a folder that is not emptied after each run, and that is both written and read, passes
//! something from run to run: then no verdict is possible.

use super::Execution;
use super::names::FILES;
use super::races::{Clock, at};
use crate::objects::{being, beings, process_number};
use crate::operation::{Access, Class, Footprint, Key, ObjectAccess, Outcome, Tid};
use crate::protocol::{self as p, Request};
use std::collections::BTreeMap;

/// As `struct weave_touch` of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ContentAccess {
    object: u64,
    start: u64,
    length: u32,
    how: u32,
}

const UNAWAITED: &str = "a call that names a process which has ended and was not waited for";

const NAME: u64 = (1 << 48) - 1;
const BYTES: usize = 24;
/// As in preload/files.h and content.c.
const STATES: u64 = 1 << 46;
/// Once a stream is locked, who uses one may have to wait; once a descriptor's flags are set,
/// whether to wait is a step of its own.
const AT_ONCE: [u64; 2] = [14, 16];

impl ContentAccess {
    fn part(self) -> u32 {
        (self.object >> 48) as u32
    }

    /// Whether it belongs to a process, so that the child of a fork gets it as it is then.
    fn is_of_process(self) -> bool {
        let shared =
            [p::PART_CONTENT, p::PART_SIZE, p::PART_ENTRY, p::PART_LIST, p::PART_POSITION, p::PART_ANY];
        !shared.contains(&self.part())
    }

    fn way(self) -> u32 {
        self.how & p::HOW_MASK
    }

    fn end(self) -> u64 {
        self.start.saturating_add(self.length.into())
    }

    fn reads(self) -> bool {
        matches!(self.way(), p::HOW_READ | p::HOW_UPDATE)
    }

    fn writes(self) -> bool {
        self.way() != p::HOW_READ
    }

    fn of(bytes: &[u8]) -> Option<ContentAccess> {
        let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let last = word(16)?;
        Some(ContentAccess {
            object: word(0)?,
            start: word(8)?,
            length: last as u32,
            how: (last >> 32) as u32,
        })
    }

    fn touch(self) -> ObjectAccess {
        let access = match self.way() {
            p::HOW_READ => Access::Read,
            p::HOW_POST => Access::Post,
            _ => Access::Change,
        };
        ObjectAccess { key: Key::new(Class::Content, self.object, self.start), length: self.length, access }
    }
}

#[derive(Clone, Copy, Debug)]
struct Past {
    who: Tid,
    when: u32,
    touched: ContentAccess,
    /// Another write came in no order with this one.
    mixed: bool,
}

/// What was done to files in a run.
#[derive(Debug, Default)]
pub(super) struct Contents {
    past: BTreeMap<u64, Vec<Past>>,
}

impl Contents {
    /// Whether a touch, of a thread with this clock, is part of a race.
    fn races(&mut self, who: Tid, clock: &Clock, new: ContentAccess) -> bool {
        let past = self.past.entry(new.object).or_default();
        let before = |p: &Past| p.who == who || at(clock, p.who) >= p.when;
        let (mut race, mut mixed) = (false, false);
        for old in past.iter_mut().filter(|p| p.touched.start < new.end() && new.start < p.touched.end()) {
            let posts = [old.touched, new].iter().all(|t| t.way() == p::HOW_POST);
            if !before(old) && !posts {
                race |= new.reads() && old.touched.writes() || new.writes() && old.touched.reads();
                let both = new.writes() && old.touched.writes();
                old.mixed |= both;
                mixed |= both;
            }
            race |= new.reads() && old.mixed;
        }
        let within = |p: &Past| new.start <= p.touched.start && p.touched.end() <= new.end();
        let again = |p: &Past| p.touched.way() == new.way() && (mixed || !p.mixed);
        past.retain(|p| !(before(p) && within(p) && (again(p) || new.way() == p::HOW_RESET)));
        past.push(Past { who, when: at(clock, who), touched: new, mixed });
        race
    }
}

impl Execution {
    /// Positions belong to open file descriptions; current folders, descriptors and what libraries
    /// keep belong to processes.
    fn locate(&mut self, who: Tid, mut touched: ContentAccess) -> ContentAccess {
        let process = self.thread(who).process;
        let number = u64::from(touched.how >> 8);
        let whose = match touched.part() {
            p::PART_POSITION => {
                self.model.files.description(process, number).unwrap_or(touched.object & NAME | 1 << 47)
            }
            p::PART_FOLDER => process,
            p::PART_STATE | p::PART_NUMBER => process << 32 | touched.object & 0xffff_ffff,
            _ => return touched,
        };
        touched.object = u64::from(touched.part()) << 48 | whose;
        touched
    }

    /// The request of a visible call.
    pub(super) fn locate_all(&mut self, who: Tid, data: &[u8]) -> Footprint {
        let all = data.chunks_exact(BYTES).filter_map(ContentAccess::of);
        all.map(|touched| self.locate(who, touched).touch()).collect()
    }

    /// A touch that was not visible.
    pub(super) fn touch_file(&mut self, who: Tid, note: &Request) {
        let reported = ContentAccess {
            object: note.object,
            start: note.a as u64,
            length: note.b as u32,
            how: note.c as u32,
        };
        if reported.how & p::HOW_OUTLIVES != 0 {
            self.outlive(reported);
        }
        if reported.how & p::HOW_SEVERAL != 0 && self.known.watched.insert(FILES) {
            self.suspicion = true; // what came before was not watched: all begins anew
        }
        let runner = self.runner(who);
        let clock = self.detector.clock(runner).clone();
        let touched = self.locate(who, reported);
        self.heed_number(Key::new(Class::Content, touched.object, 0));
        let file = p::FILE | reported.object & NAME;
        let inherited = reported.is_of_process() && reported.writes() && self.is_inherited(who);
        let changes_waits =
            AT_ONCE.iter().any(|s| reported.object == u64::from(p::PART_STATE) << 48 | STATES | s);
        let races = self.contents.races(runner, &clock, touched) || inherited || changes_waits;
        if races && self.known.racing.insert(file) {
            self.more_races = true;
            self.forget_new_races();
        }
    }

    /// The number of a process names none from now on. Who names it, and nothing orders that, makes
    /// it visible.
    pub(super) fn number_goes(&mut self, who: Tid, process: u64) {
        let runner = self.runner(who);
        let clock = self.detector.clock(runner).clone();
        for (key, how) in [(being(process), p::HOW_UPDATE), (beings(), p::HOW_POST)] {
            let touched = ContentAccess { object: key.space, start: 0, length: 1, how };
            let races = self.contents.races(runner, &clock, touched);
            if races && self.known.racing.insert(p::FILE | key.space & NAME) {
                self.more_races = true;
                self.forget_new_races();
            }
        }
    }

    /// A call names a process that has ended and needs no wait: for the kernel it may still
    /// be there.
    pub(super) fn heed_number(&mut self, key: Key) {
        let life = process_number(key).and_then(|process| self.model.lives.get(&process));
        if life.is_some_and(|l| l.ended && l.reaped && self.model.acts_on_children(l.parent)) {
            self.uncontrolled.insert(UNAWAITED.to_string());
            (self.loose, self.distorted) = (true, true);
        }
    }

    /// Whether calls that name one of these processes are visible.
    pub(super) fn is_named(&self, outcomes: &[Outcome]) -> bool {
        let place = |key: Key| p::FILE | key.space & NAME;
        let named = |process: &Outcome| self.known.racing.contains(&place(being(*process as u64)));
        let ended = outcomes.iter().filter(|process| **process >= 0);
        self.known.racing.contains(&place(beings())) || ended.into_iter().any(named)
    }

    /// Something that the next run finds.
    fn outlive(&mut self, touched: ContentAccess) {
        let (read, written) = self.outliving.entry(touched.object).or_default();
        *read |= touched.reads();
        *written |= touched.writes();
        const REASON: &str = "is written and read, and is there in the next run (what is in /tmp is not)";
        if *read && *written && !self.uncontrolled.iter().any(|u| u.ends_with(REASON)) {
            let path = self.machine.path(touched.object & NAME);
            self.uncontrolled.insert(format!("{path} {REASON}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::races::Detector;
    use super::*;

    fn touch(part: u32, start: u64, length: u32, how: u32) -> ContentAccess {
        ContentAccess { object: u64::from(part) << 48 | 7, start, length, how }
    }

    struct Run {
        order: Detector,
        contents: Contents,
    }

    impl Run {
        fn new() -> Run {
            Run { order: Detector::default(), contents: Contents::default() }
        }

        fn does(&mut self, who: Tid, start: u64, length: u32, how: u32) -> bool {
            let clock = self.order.clock(who).clone();
            self.contents.races(who, &clock, touch(p::PART_CONTENT, start, length, how))
        }
    }

    #[test]
    fn a_read_and_a_write_race_if_nothing_orders_them() {
        let mut run = Run::new();
        assert!(!run.does(1, 0, 8, p::HOW_CHANGE));
        assert!(!run.does(2, 8, 8, p::HOW_READ), "beside it");
        assert!(run.does(2, 4, 8, p::HOW_READ));
        let mut run = Run::new();
        assert!(!run.does(1, 0, 8, p::HOW_READ));
        assert!(!run.does(2, 0, 8, p::HOW_READ));
        assert!(run.does(3, 0, 8, p::HOW_CHANGE));
        let mut run = Run::new();
        assert!(!run.does(1, 0, 8, p::HOW_CHANGE));
        run.order.order(1, 2);
        assert!(!run.does(2, 0, 8, p::HOW_READ), "behind it");
    }

    #[test]
    fn writes_race_when_somebody_reads_what_they_left() {
        let mut run = Run::new();
        assert!(!run.does(1, 0, 8, p::HOW_CHANGE));
        assert!(!run.does(2, 4, 8, p::HOW_CHANGE));
        run.order.order(1, 0);
        run.order.order(2, 0);
        assert!(!run.does(0, 12, 4, p::HOW_READ), "what was not written twice");
        assert!(run.does(0, 0, 16, p::HOW_READ), "joined, but which was the last?");
        let mut run = Run::new();
        run.does(1, 0, 8, p::HOW_CHANGE);
        run.does(2, 0, 8, p::HOW_CHANGE);
        run.order.order(1, 0);
        run.order.order(2, 0);
        assert!(!run.does(0, 0, 8, p::HOW_RESET));
        assert!(!run.does(0, 0, 8, p::HOW_READ), "nothing of it is left");
        let mut run = Run::new();
        assert!(!run.does(1, 0, 1, p::HOW_UPDATE));
        assert!(run.does(2, 0, 1, p::HOW_UPDATE), "each learns whether it was the first");
        let mut run = Run::new();
        assert!(!run.does(1, 0, 1, p::HOW_POST));
        assert!(!run.does(2, 0, 1, p::HOW_POST));
        run.order.order(1, 0);
        run.order.order(2, 0);
        assert!(!run.does(0, 0, 1, p::HOW_READ), "posts leave the same in any order");
        assert!(run.does(3, 0, 1, p::HOW_READ));
    }

    fn bytes(touched: ContentAccess) -> [u8; BYTES] {
        let mut all = [0; BYTES];
        let last = u64::from(touched.length) | u64::from(touched.how) << 32;
        all.chunks_exact_mut(8)
            .zip([touched.object, touched.start, last])
            .for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
        all
    }

    #[test]
    fn a_touch_survives_its_way_through_memory() {
        let one = touch(p::PART_SIZE, 5, u32::MAX, p::HOW_UPDATE | 3 << 8);
        assert_eq!(ContentAccess::of(&bytes(one)), Some(one));
    }
}
