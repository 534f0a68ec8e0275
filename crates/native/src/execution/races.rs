//! Data races: accesses to the same memory, one of them a write and one of them plain, that nothing
//! orders.
//!
//! Vector clocks in the manner of FastTrack (Flanagan, Freund, PLDI 2009). Atomic accesses order as
//! the C standard says ([`super::ordered`]); other transitions of the run in the order that the
//! dependency relation gives them. That order is more than synchronisation gives (two waits on a
//! semaphore are ordered by it), but every order of dependent transitions is explored, so that
//! accesses which can be adjacent in some run are unordered in one that is seen. What happens
//! without being a transition (a join) has no place in that order.
//!
//! **Accesses that are transitions** (atomic ones, and plain ones that were found to race) are in
//! the history like the others. Plain ones order, too, but each is compared before it learns from
//! others, and they from it: so the first race of a run is seen whatever is visible.
//!
//! **A comparison** (compare-and-exchange) is a read. If it finds what it expects, it is a write,
//! too; that is heard of behind it.
//!
//! **The child of a fork** has what its parent's memory held then. What it reads is as if its
//! parent had read it at the fork: a write that nothing orders with the fork becomes visible. That
//! is no race.
//!
//! **Handlers of signals** run between transitions here, and anywhere in a program. So a handler is
//! a thread of its own: behind what its signal was sent behind, and behind what it interrupts but
//! for the *part* that came last, since its last transition. What both access becomes visible, so
//! that the handler runs between. Handlers that have returned in that part are parts like it: one
//! that their masks let through might have come while they ran. So each of those that may nest has
//! a name of its own, a *runner*: the thread and a number above it.
//!
//! **The end of a process** stops its other threads anywhere, and what its handler interrupts: they
//! have surely done all but their last parts. What of that is shared with others becomes visible,
//! if these read it later. That is no race.

use super::history::{Access, History, Meeting, Sort};
use super::identities::{Call, Identities};
use super::ordered::Ordered;
use crate::objects::Nesting;
use crate::operation::{Access as How, Class, Key, ObjectAccess, Tid};
use crate::protocol as p;
use explore::stateless::Way;
use std::collections::BTreeMap;

pub(super) type Clock = Vec<u32>;

pub(super) fn at(clock: &Clock, who: Tid) -> u32 {
    clock.get(who).copied().unwrap_or(0)
}

pub(super) fn join(into: &mut Clock, other: &Clock) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    into.iter_mut().zip(other).for_each(|(a, b)| *a = (*a).max(*b));
}

fn tick(clock: &mut Clock, who: Tid) {
    if clock.len() <= who {
        clock.resize(who + 1, 0);
    }
    clock[who] += 1;
}

/// The detector of one run.
#[derive(Debug, Default)]
pub(super) struct Detector {
    threads: BTreeMap<Tid, Clock>,
    /// When the part of a thread before its last transition began, and the one behind it.
    parts: BTreeMap<Tid, [u32; 2]>,
    /// Of handlers that run.
    veils: BTreeMap<Tid, Veil>,
    /// Of a thread: handlers that have returned in the part before its last transition, and behind
    /// it.
    returned: BTreeMap<Tid, [Vec<Returned>; 2]>,
    /// What the last transition came to know; what its thread knew when it was looked for races,
    /// and then.
    learnt: Clock,
    last: [Clock; 2],
    /// Who was killed, who came to know that, and when.
    deaths: Vec<(Tid, Tid, u32)>,
    /// By the memory of the child.
    forks: BTreeMap<u64, Fork>,
    objects: Ordered,
    memory: History,
    identities: Identities,
}

/// What a handler interrupts, which signals may interrupt the handler, and what it knows, as long
/// as it runs, of those that it may have interrupted.
#[derive(Debug)]
struct Veil {
    below: Tid,
    open: u64,
    known: Vec<(Tid, u32)>,
}

/// A handler that has returned: what of it came before its last part, and which signals might have
/// come in that.
#[derive(Clone, Copy, Debug)]
struct Returned {
    handler: Tid,
    sure: u32,
    open: u64,
}

fn lower(clock: &mut Clock, who: Tid, to: u32) {
    if let Some(at) = clock.get_mut(who) {
        *at = (*at).min(to);
    }
}

/// Whose memory a child has got, who made it, and when.
#[derive(Debug)]
struct Fork {
    parent: u64,
    who: Tid,
    then: Clock,
}

impl Detector {
    pub(super) fn clock(&mut self, who: Tid) -> &mut Clock {
        self.threads.entry(who).or_insert_with(|| {
            let mut clock = Clock::new();
            tick(&mut clock, who);
            clock
        })
    }

    /// What the first thread did so far comes before what the second does from now on.
    pub(super) fn order(&mut self, from: Tid, to: Tid) {
        let earlier = self.clock(from).clone();
        join(self.clock(to), &earlier);
        let mut now = self.clock(to).clone();
        self.veil(to, &mut now);
        *self.clock(to) = now;
        tick(self.clock(from), from);
    }

    /// What a handler interrupts does nothing meanwhile. That a signal was taken, which others see,
    /// is no reason for its handler to know what came last.
    fn veil(&self, who: Tid, clock: &mut Clock) {
        let mut handler = who;
        while let Some(veil) = self.veils.get(&handler) {
            veil.known.iter().for_each(|(other, known)| lower(clock, *other, *known));
            handler = veil.below;
        }
    }

    /// A transition: after all that it depends on. If it is an access to memory, the races that it
    /// is part of.
    pub(super) fn transition(
        &mut self,
        who: Tid,
        touched: &[ObjectAccess],
        access: Option<&Access>,
    ) -> Vec<Meeting> {
        let (mut learnt, late) = self.before(who, touched, access);
        let mut now = self.clock(who).clone();
        join(&mut now, &learnt);
        self.veil(who, &mut now);
        let met = access.map(|a| self.meet(who, &now, a)).unwrap_or_default();
        let compared = now.clone();
        join(&mut learnt, &late);
        join(&mut now, &late);
        self.veil(who, &mut now);
        self.learnt = learnt;
        self.objects.done(touched, access, &now);
        self.last = [compared, now.clone()];
        self.begin_part(who, now);
        met
    }

    /// A transition that takes signals. That they were taken, which others see, tells nothing of
    /// the last part, in which their handlers might have come.
    pub(super) fn take(&mut self, who: Tid, touched: &[ObjectAccess]) {
        let (learnt, _) = self.before(who, touched, None);
        let mut now = self.clock(who).clone();
        join(&mut now, &learnt);
        self.veil(who, &mut now);
        let mut told = now.clone();
        lower(&mut told, who, self.part(who)[1] - 1);
        for back in self.returned.get(&(who % p::LIM_SLOTS)).into_iter().flat_map(|of| &of[1]) {
            lower(&mut told, back.handler, back.sure);
        }
        self.learnt = learnt;
        self.objects.done(touched, None, &told);
        self.last = [now.clone(), now.clone()];
        self.begin_part(who, now);
    }

    /// What a transition learns from objects; and what besides, once it was looked for races. What
    /// a handler interrupts stands still, and handlers that have returned do nothing: nothing is
    /// learnt of them.
    fn before(&mut self, who: Tid, touched: &[ObjectAccess], access: Option<&Access>) -> (Clock, Clock) {
        let (mut learnt, mut late) = self.objects.before(touched, access);
        let own = self.clock(who).clone();
        let most = learnt.len().max(late.len());
        for other in (who % p::LIM_SLOTS..most).step_by(p::LIM_SLOTS).filter(|other| *other != who) {
            lower(&mut learnt, other, at(&own, other));
            lower(&mut late, other, at(&own, other));
        }
        (learnt, late)
    }

    /// Behind a transition that ends with this clock.
    fn begin_part(&mut self, who: Tid, mut now: Clock) {
        if let Some([before, behind]) = self.returned.get_mut(&(who % p::LIM_SLOTS)) {
            *before = std::mem::take(behind);
        }
        tick(&mut now, who);
        self.parts.insert(who, [self.part(who)[1], at(&now, who)]);
        *self.clock(who) = now;
    }

    /// The last transition was a comparison, and has written; the races that it is part of as a
    /// write alone.
    pub(super) fn found(&mut self, who: Tid, access: &Access) -> Vec<Meeting> {
        let [compared, now] = self.last.clone();
        let mut met = self.meet(who, &compared, access);
        met.retain(|m| m.race.first.way == Way::Read);
        let key = Key::new(Class::Memory, access.space, access.start);
        let touch = ObjectAccess { key, length: access.size, access: How::Change };
        self.objects.done(&[touch], Some(access), &now);
        met
    }

    /// The last transition accessed this, too.
    pub(super) fn besides(&mut self, who: Tid, access: &Access) -> Vec<Meeting> {
        let [compared, _] = self.last.clone();
        self.meet(who, &compared, access)
    }

    fn part(&self, who: Tid) -> [u32; 2] {
        self.parts.get(&who).copied().unwrap_or([1, 1])
    }

    /// A name for the handlers of these signals, in a thread in which these run: not that of one
    /// that they might have interrupted.
    pub(super) fn name(&self, running: &[Tid], signals: u64) -> Tid {
        let base = running[0] % p::LIM_SLOTS;
        let amid = self.returned.get(&base).into_iter().flat_map(|of| &of[0]);
        let amid: Vec<Tid> = amid.filter(|back| back.open & signals != 0).map(|back| back.handler).collect();
        let free = |name: &Tid| !running.contains(name) && !amid.contains(name);
        (base + p::LIM_SLOTS..).step_by(p::LIM_SLOTS).find(free).unwrap_or(base)
    }

    /// The last transition of a thread lets handlers run, whose signals the thread itself has sent
    /// or not.
    pub(super) fn interrupt(&mut self, who: Tid, handler: Tid, itself: bool, nesting: Nesting) {
        let mut clock = self.clock(who).clone();
        let earlier = self.clock(handler).clone();
        join(&mut clock, &earlier);
        let mut known = Vec::new();
        if !itself {
            known.push((who, at(&self.learnt, who).max(self.part(who)[0] - 1)));
        }
        let [before, behind] = self.returned.entry(who % p::LIM_SLOTS).or_default();
        behind.append(before); // taking signals ends no part
        let amid = behind.iter().filter(|back| back.open & nesting.signals != 0);
        known.extend(amid.map(|back| (back.handler, at(&self.learnt, back.handler).max(back.sure))));
        known.iter().for_each(|(other, known)| lower(&mut clock, *other, *known));
        self.veils.insert(handler, Veil { below: who, open: nesting.open, known });
        tick(&mut clock, handler);
        let now = at(&clock, handler);
        self.parts.insert(handler, [now, now]);
        self.threads.insert(handler, clock);
    }

    /// The handler has returned; whether the thread goes on, or still stands where it stood.
    pub(super) fn resume(&mut self, who: Tid, handler: Tid, runs: bool) {
        let done = self.clock(handler).clone();
        let open = self.veils.remove(&handler).map_or(0, |veil| veil.open);
        join(self.clock(who), &done);
        tick(self.clock(handler), handler);
        let sure = self.part(handler)[1] - 1;
        let [_, behind] = self.returned.entry(who % p::LIM_SLOTS).or_default();
        match behind.iter_mut().find(|back| (back.handler, back.open) == (handler, open)) {
            Some(back) => back.sure = back.sure.min(sure),
            None => behind.push(Returned { handler, sure, open }),
        }
        if !runs {
            let part = self.part(who)[0];
            self.parts.insert(who, [part, part]);
        }
    }

    /// Which signals a handler that runs lets through besides: it has changed its mask.
    pub(super) fn open(&mut self, handler: Tid, open: u64) {
        if let Some(veil) = self.veils.get_mut(&handler) {
            veil.open |= open;
        }
    }

    /// As [`Detector::order`], of a thread that was stopped somewhere in its last part, or before
    /// this handler that interrupted it: no thread knows how far it came, whatever it has learnt.
    pub(super) fn order_killed(&mut self, from: Tid, to: Tid, handler: Option<Tid>) {
        let sure = match handler {
            Some(handler) => at(self.clock(handler), from),
            None => self.part(from)[1] - 1,
        };
        let mut last = vec![(from, sure)];
        let returned = self.returned.get(&(from % p::LIM_SLOTS));
        last.extend(returned.into_iter().flat_map(|of| &of[1]).map(|back| (back.handler, back.sure)));
        let mut earlier = self.clock(from).clone();
        last.iter().for_each(|(other, sure)| lower(&mut earlier, *other, *sure));
        join(self.clock(to), &earlier);
        last.iter().for_each(|(other, sure)| lower(self.clock(to), *other, *sure));
        let when = at(self.clock(to), to);
        self.deaths.extend(last.iter().map(|(other, _)| (*other, to, when)));
    }

    /// The last transition of a thread ended a process, and stopped another thread in its last
    /// part.
    pub(super) fn cut(&mut self, stopped: Tid, by: Tid) {
        let when = at(self.clock(by), by).saturating_sub(1);
        let returned = self.returned.get(&(stopped % p::LIM_SLOTS)).into_iter().flat_map(|of| &of[1]);
        self.deaths.extend(returned.map(|back| (back.handler, by, when)));
        self.deaths.push((stopped, by, when));
    }

    /// An access that is no transition; the races it is part of.
    pub(super) fn access(&mut self, who: Tid, access: &Access) -> Vec<Meeting> {
        let clock = self.clock(who).clone();
        self.meet(who, &clock, access)
    }

    /// The last transition of a thread was a fork.
    pub(super) fn fork(&mut self, who: Tid, parent: u64, child: u64) {
        let mut then = self.clock(who).clone();
        then[who] -= 1; // who comes behind the fork knows that much
        self.forks.insert(child, Fork { parent, who, then });
    }

    /// What the child of a fork reads was its parent's, and that one's parent's.
    fn inherit(&mut self, access: &Access) -> Vec<Meeting> {
        let mut met = Vec::new();
        if access.way != Way::Read && !access.is_atomic() {
            return met;
        }
        let mut space = access.space;
        while let Some(Fork { parent, who, then }) = self.forks.get(&space) {
            let read = Access { space: *parent, way: Way::Read, sort: Sort::Inherited, ..*access };
            met.extend(self.memory.access(*who, then, &read));
            space = *parent;
        }
        met
    }

    fn meet(&mut self, who: Tid, clock: &Clock, access: &Access) -> Vec<Meeting> {
        let mut met = self.memory.access(who, clock, access);
        met.extend(self.inherit(access));
        for meeting in &mut met {
            let knows = |&&(dead, by, when): &&(Tid, Tid, u32)| {
                dead == meeting.with && (by == who || at(clock, by) >= when)
            };
            meeting.dead = self.deaths.iter().any(|death| knows(&death));
        }
        met
    }

    /// A thread gets or gives back an identity of this process and class; whether another thread
    /// did in no order.
    pub(super) fn identity(&mut self, process: u64, class: u64, who: Tid, call: Call) -> bool {
        let clock = self.clock(who).clone();
        self.identities.call((process, class, who), &clock, call)
    }

    /// A thread gets memory that was in use before: what was done to it concerns only those who do
    /// not know that.
    pub(super) fn renew(&mut self, who: Tid, space: u64, start: u64, size: u32) {
        let when = at(self.clock(who), who);
        self.memory.renew((who, when), space, start..start.saturating_add(size.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::Sort;
    use super::*;
    use explore::stateless::Way;

    const SIZE: u32 = 4;
    /// Of thread 1.
    const HANDLER: Tid = 1 + p::LIM_SLOTS;

    fn plain(start: u64, pc: u64, write: bool) -> Access {
        let way = if write { Way::Write } else { Way::Read };
        Access { space: 0, start, size: SIZE, way, pc, sort: Sort::Hidden, updates: false }
    }

    fn visible(start: u64, pc: u64, write: bool, sort: Sort) -> (Access, [ObjectAccess; 1]) {
        let access = if write { How::Change } else { How::Read };
        let touch = ObjectAccess { key: Key::new(Class::Memory, 0, start), length: SIZE, access };
        (Access { sort, ..plain(start, pc, write) }, [touch])
    }

    impl Detector {
        fn steps(&mut self, who: Tid, touched: &[ObjectAccess]) {
            assert_eq!(self.transition(who, touched, None), []);
        }

        fn visits(&mut self, who: Tid, (access, touched): (Access, [ObjectAccess; 1])) -> usize {
            self.transition(who, &touched, Some(&access)).len()
        }
    }

    #[test]
    fn unordered_accesses_race_and_ordered_ones_do_not() {
        let lock = [Key::new(Class::Sync, 0, 8).touch(How::Change)];
        let mut d = Detector::default();
        assert_eq!(d.access(1, &plain(64, 1, true)), []);
        assert_eq!(d.access(2, &plain(64, 2, false)).len(), 1, "a write and a read");
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, false));
        assert_eq!(d.access(2, &plain(64, 2, false)), [], "two reads");
        assert_eq!(d.access(3, &plain(68, 3, true)), [], "beside it");
        assert_eq!(d.access(3, &Access { space: 1, ..plain(64, 3, true) }), [], "another process");
        let mut d = Detector::default();
        d.steps(1, &lock);
        d.access(1, &plain(64, 1, true));
        d.steps(1, &lock);
        d.steps(2, &lock);
        assert_eq!(d.access(2, &plain(64, 2, true)), [], "under the same lock");
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.order(1, 2);
        assert_eq!(d.access(2, &plain(64, 2, true)), [], "created behind it");
        d.access(1, &plain(64, 3, true));
        assert_eq!(d.access(2, &plain(64, 4, true)).len(), 1, "not ordered by creation");
    }

    #[test]
    fn long_ranges_are_met_at_their_far_end() {
        let (wide, far) = (Access { size: 1 << 20, ..plain(0, 1, true) }, (1 << 20) - 4);
        let mut d = Detector::default();
        assert_eq!(d.access(1, &wide), []);
        assert_eq!(d.access(2, &plain(far, 2, false)).len(), 1, "a short access behind a long one");
        assert_eq!(d.access(2, &plain(far + 4, 2, false)), [], "just outside");
        let mut d = Detector::default();
        d.access(2, &plain(far, 2, false));
        assert_eq!(d.access(1, &wide).len(), 1, "a long one behind a short one");
        assert_eq!(
            d.access(3, &Access { start: 64, pc: 3, ..wide }).len(),
            2,
            "two long ones, and the short one"
        );
    }

    #[test]
    fn posts_order_what_waits() {
        let semaphore = Key::new(Class::Sync, 0, 8);
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.steps(1, &[semaphore.touch(How::Post)]);
        d.steps(2, &[semaphore.touch(How::Post)]);
        assert_eq!(d.access(2, &plain(64, 2, true)).len(), 1, "posts do not order posts");
        d.steps(3, &[semaphore.touch(How::Change)]);
        let races = d.access(3, &plain(64, 3, true));
        let with: Vec<u64> = races.iter().map(|m| m.race.first.pc).collect();
        assert_eq!(
            with,
            [2],
            "a wait comes after what was done before the posts, not after what came behind"
        );
    }

    #[test]
    fn a_child_reads_what_its_parent_had() {
        let everything = [Key::new(Class::Process, 0, 0).touch(How::Change)];
        let step = [Key::new(Class::Process, 0, 0).touch(How::Read)];
        let child = |start, pc| Access { space: 7, ..plain(start, pc, false) };
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.steps(2, &everything);
        d.fork(2, 0, 7);
        d.order(2, 7);
        d.access(2, &plain(80, 2, true));
        assert_eq!(d.access(7, &Access { way: Way::Write, ..child(64, 3) }), [], "it reads nothing");
        let met = d.access(7, &child(64, 4));
        assert!(met.len() == 1 && met[0].inherited && met[0].hidden == [true, false]);
        assert_eq!(d.access(7, &child(80, 5)), [], "its parent did that behind the fork");
        d.access(7, &child(72, 6));
        assert!(d.access(1, &plain(72, 7, true)).iter().all(|m| m.inherited && m.hidden == [false, true]));
        d.steps(1, &step);
        assert_eq!(d.access(1, &plain(72, 8, true)), [], "behind the fork");
    }

    #[test]
    fn a_handler_meets_what_came_last() {
        let signal = [Key::new(Class::Sync, 0, 8).touch(How::Change)];
        let other = [Key::new(Class::Sync, 0, 16).touch(How::Change)];
        let (thread, handler) = (1, 1 + p::LIM_SLOTS);
        let mut d = Detector::default();
        d.access(thread, &plain(64, 1, true));
        d.steps(thread, &other);
        d.access(thread, &plain(72, 2, true));
        d.steps(2, &signal);
        d.steps(thread, &signal);
        d.interrupt(thread, handler, false, Nesting::default());
        assert_eq!(d.access(handler, &plain(64, 3, false)), [], "that was before the last transition");
        let met: Vec<Tid> = d.access(handler, &plain(72, 4, false)).iter().map(|m| m.with).collect();
        assert_eq!(met, [thread]);
        d.access(handler, &plain(80, 5, true));
        d.resume(thread, handler, true);
        assert_eq!(d.access(thread, &plain(80, 6, true)), [], "the handler is over");
    }

    /// Two handlers, one behind the other: whether the second meets what the first did before it
    /// made a call, and then.
    fn two_handlers(signals: u64, calls_between: bool) -> [usize; 2] {
        let (one, two) = (1 << 9, 1 << 11);
        let other = [Key::new(Class::Sync, 0, 16).touch(How::Change)];
        let mut d = Detector::default();
        d.take(1, &[]);
        let first = d.name(&[1], one);
        d.interrupt(1, first, false, Nesting { signals: one, open: !one });
        d.access(first, &plain(64, 1, true));
        d.steps(first, &other);
        d.access(first, &plain(72, 2, true));
        d.resume(1, first, false);
        if calls_between {
            d.steps(1, &other);
        }
        d.take(1, &[]);
        let second = d.name(&[1], signals);
        assert_eq!(second == first, calls_between || signals & two == 0);
        d.interrupt(1, second, false, Nesting { signals, open: 0 });
        [64, 72].map(|at| d.access(second, &plain(at, 3, false)).len())
    }

    #[test]
    fn a_handler_meets_what_one_before_it_did_last() {
        assert_eq!(two_handlers(1 << 11, false), [0, 1]);
        assert_eq!(two_handlers(1 << 9, false), [0, 0], "the first one blocks its own signal");
        assert_eq!(two_handlers(1 << 11, true), [0, 0], "their thread has made a call between");
    }

    #[test]
    fn that_signals_were_taken_tells_nothing_of_what_came_last() {
        let signal = [Key::new(Class::Sync, 0, 8).touch(How::Change)];
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.take(1, &signal);
        d.interrupt(1, HANDLER, false, Nesting { signals: 1, open: 0 });
        d.resume(1, HANDLER, false);
        d.take(1, &signal);
        d.interrupt(1, HANDLER, false, Nesting { signals: 2, open: 0 });
        assert_eq!(d.access(HANDLER, &plain(64, 2, false)).len(), 1);
    }

    #[test]
    fn a_handler_is_behind_what_its_signal_is_sent_behind() {
        let signal = [Key::new(Class::Sync, 0, 8).touch(How::Change)];
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.steps(1, &signal);
        d.interrupt(1, HANDLER, true, Nesting::default());
        assert_eq!(d.access(HANDLER, &plain(64, 2, true)), [], "sent by itself");
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.order(1, 2);
        d.steps(2, &signal);
        d.steps(1, &signal);
        d.interrupt(1, HANDLER, false, Nesting::default());
        assert_eq!(d.access(HANDLER, &plain(64, 2, true)), [], "sent by who was created behind it");
    }

    #[test]
    fn who_is_killed_may_not_have_done_what_came_last() {
        let other = [Key::new(Class::Sync, 0, 16).touch(How::Change)];
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.steps(1, &other);
        d.access(1, &plain(72, 2, true));
        d.order_killed(1, 2, None);
        assert_eq!(d.access(2, &plain(64, 3, false)), []);
        let met = d.access(2, &plain(72, 4, false));
        assert!(met.len() == 1 && met[0].dead, "not a race, but not sure to have happened");
        d.order(2, 3);
        assert!(d.access(3, &plain(72, 5, false)).iter().any(|m| m.with == 1 && m.dead));
        assert!(d.access(4, &plain(72, 6, false)).iter().any(|m| m.with == 1 && !m.dead), "a race");
    }

    #[test]
    fn what_a_handler_interrupts_may_not_be_done_when_it_ends_the_process() {
        let signal = Key::new(Class::Sync, 0, 8).touch(How::Change);
        let life = Key::new(Class::Process, 0, 0);
        let (thread, handler) = (1, 1 + p::LIM_SLOTS);
        let mut d = Detector::default();
        d.steps(2, &[signal]);
        d.access(thread, &plain(64, 1, true));
        d.steps(thread, &[signal, life.touch(How::Read)]);
        d.interrupt(thread, handler, false, Nesting::default());
        d.access(handler, &plain(72, 2, true));
        d.steps(handler, &[life.touch(How::Change)]);
        d.cut(thread, handler);
        d.steps(3, &[life.touch(How::Read)]);
        let met = d.access(3, &plain(64, 3, false));
        assert!(met.len() == 1 && met[0].dead, "the end is known, not how far the thread came");
        d.order(handler, 2);
        d.order_killed(thread, 2, Some(handler));
        assert!(d.access(2, &plain(64, 4, false)).iter().any(|m| m.with == thread && m.dead));
        assert_eq!(d.access(2, &plain(72, 5, false)), [], "the handler ended the process behind that");
    }

    #[test]
    fn what_was_ordered_is_not_forgotten_for_what_comes_later() {
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.access(1, &plain(64, 2, true));
        let with: Vec<u64> = d.access(2, &plain(64, 3, false)).iter().map(|m| m.race.first.pc).collect();
        assert_eq!(with, [1, 2], "both writes of one thread");
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, false));
        d.order(1, 2);
        d.access(2, &plain(64, 2, true));
        let with: Vec<u64> = d.access(3, &plain(64, 3, true)).iter().map(|m| m.race.first.pc).collect();
        assert_eq!(with, [1, 2], "a read, and a write behind it by another thread");
    }

    #[test]
    fn visible_accesses_are_compared_with_plain_ones() {
        for sort in [Sort::Visible, Sort::Atomic] {
            let mut d = Detector::default();
            d.access(1, &plain(64, 1, false));
            assert_eq!(d.visits(2, visible(64, 2, true, sort)), 1, "a plain read, then {sort:?}");
            let mut d = Detector::default();
            assert_eq!(d.visits(2, visible(64, 2, true, sort)), 0);
            assert_eq!(d.access(1, &plain(66, 1, false)).len(), 1, "{sort:?}, then a plain read");
        }
    }

    #[test]
    fn atomics_order_and_do_not_race() {
        let mut d = Detector::default();
        d.access(1, &plain(8, 1, true));
        assert_eq!(d.visits(1, visible(64, 2, true, Sort::Atomic)), 0);
        assert_eq!(d.visits(2, visible(64, 3, false, Sort::Atomic)), 0);
        assert_eq!(d.access(2, &plain(8, 4, false)), [], "reported by an atomic");
    }

    /// The second atomic access comes behind a plain write before the first one, or not.
    fn passes(first: bool, second: (bool, bool)) -> bool {
        let mut d = Detector::default();
        d.access(1, &plain(8, 1, true));
        d.visits(1, visible(64, 2, first, Sort::Atomic));
        let (access, touched) = visible(64, 3, second.0, Sort::Atomic);
        d.visits(2, (Access { updates: second.1, ..access }, touched));
        d.access(2, &plain(8, 4, false)).is_empty()
    }

    #[test]
    fn an_atomic_write_comes_before_what_reads_it_and_not_before_what_overwrites_it() {
        let (read, write, update) = ((false, false), (true, false), (true, true));
        assert_eq!([read, write, update].map(|second| passes(true, second)), [true, false, true]);
        assert_eq!([read, write, update].map(|second| passes(false, second)), [false; 3]);
    }

    #[test]
    fn updates_pass_on_what_was_released_and_stores_do_not() {
        for (update, known) in [(true, 0), (false, 1)] {
            let mut d = Detector::default();
            d.access(1, &plain(8, 1, true));
            d.visits(1, visible(64, 2, true, Sort::Atomic));
            let (access, touched) = visible(64, 3, true, Sort::Atomic);
            d.visits(2, (Access { updates: update, ..access }, touched));
            d.visits(3, visible(64, 4, false, Sort::Atomic));
            assert_eq!(d.access(3, &plain(8, 5, false)).len(), known, "{update}");
        }
    }

    #[test]
    fn a_comparison_writes_if_it_finds_what_it_expects() {
        for sort in [Sort::Hidden, Sort::Visible] {
            let (comparison, touched) = visible(64, 2, false, Sort::Atomic);
            let touched = touched.map(|t| ObjectAccess { access: How::Change, ..t });
            let comparison = Access { updates: true, ..comparison };
            let mut d = Detector::default();
            match sort {
                Sort::Visible => drop(d.visits(1, visible(64, 1, false, sort))),
                _ => drop(d.access(1, &plain(64, 1, false))),
            }
            assert_eq!(d.visits(2, (comparison, touched)), 0, "{sort:?}: two reads");
            let written = Access { way: Way::Write, updates: false, ..comparison };
            assert_eq!(d.found(2, &written).len(), 1, "{sort:?}: a read and a write");
            assert_eq!(d.access(3, &plain(64, 3, false)).len(), 1, "{sort:?}: once");
            d.access(2, &plain(8, 4, true));
            d.visits(4, visible(64, 5, false, Sort::Atomic));
            assert_eq!(d.access(4, &plain(64, 6, false)), [], "{sort:?}: reported by the comparison");
            assert_eq!(d.access(4, &plain(8, 7, false)).len(), 1, "{sort:?}: came behind it");
        }
    }

    #[test]
    fn visible_plain_accesses_order_and_race() {
        let mut d = Detector::default();
        d.access(1, &plain(8, 1, true));
        assert_eq!(d.visits(1, visible(64, 2, true, Sort::Visible)), 0);
        assert_eq!(d.visits(2, visible(66, 3, false, Sort::Visible)), 1, "a race, whatever is visible");
        assert_eq!(d.access(2, &plain(8, 4, false)), [], "all orders of the two are explored");
    }

    #[test]
    fn a_block_is_free_of_its_past_for_who_knows_that_it_is_new() {
        let mut d = Detector::default();
        d.access(1, &plain(64, 1, true));
        d.access(1, &Access { way: Way::Free, size: 16, ..plain(64, 2, true) });
        d.renew(2, 0, 64, 16);
        assert_eq!(d.access(2, &plain(64, 3, true)), [], "its new owner");
        d.order(2, 3);
        assert_eq!(d.access(3, &plain(64, 4, true)), [], "who has it from there");
        assert_eq!(d.access(4, &plain(64, 5, false)).len(), 4, "who uses it without knowing");
    }
}
