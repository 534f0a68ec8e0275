//! Disjoint sets of states, merged by several threads at once; with each set who visited it, its
//! marks, and which of its states are still to be explored.
//!
//! After the union-find of Bloemen, Laarman and van de Pol (*Multi-core on-the-fly SCC
//! decomposition*, 2016): sets are trees of parents, the root speaks for the set; states to be
//! explored hang together in a ring, so that merging two rings is swapping two pointers.
//! Deviations: all that changes a set, but for the visitors, happens under a lock in its root,
//! taken for a few instructions (two roots are locked in the order of their numbers, so no thread
//! waits in a circle); a second ring holds all members.
//!
//! Visitors are added without the lock: set the bit in the root, then see whether it is still a
//! root. Who merges first points the old root to the new one, then copies the bits. In one total
//! order of these four steps (they are `SeqCst`) either the merger copies the bit, or the visitor
//! sees that its root is none any more, and adds the bit again further up.

use super::marks::Wanted;
use super::space::NOWHERE;
use crate::store::chunks::Chunks;
use crate::store::{StateId, near};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicU32, AtomicU64};

pub(super) struct Sets {
    nodes: Chunks<Node>,
    marks: Chunks<AtomicU64>,
}

/// A state in its set. The states of a ring are stored plus one, so that 0 is the state itself: a
/// new state is alone.
#[derive(Default)]
struct Node {
    /// Plus one; 0 for a root.
    parent: AtomicU32,
    /// [`LOCKED`], [`DEAD`], [`CYCLIC`]: of the set, if this is its root. [`DONE`]: of the state.
    flags: AtomicU32,
    /// The ring of states to be explored, and for a root where to enter it.
    next: AtomicU32,
    head: AtomicU32,
    /// The ring of all members, and the state's place in the last list of them.
    member: AtomicU32,
    place: AtomicU32,
    /// Bit k: thread k has been here. Only a root's are asked.
    visitors: AtomicU64,
}

const LOCKED: u32 = 1;
const DEAD: u32 = 2;
const DONE: u32 = 4;
const CYCLIC: u32 = 8;

/// What a thread finds at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Its set is complete.
    Dead,
    /// The thread has been in its set.
    Known,
    New,
}

/// What is left to be explored in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    State(StateId),
    /// Nothing is left; the first thread to learn this completes the set.
    Completed,
    Dead,
}

impl Sets {
    pub fn new(words: usize) -> Self {
        Sets { nodes: Chunks::new(1), marks: Chunks::new(words) }
    }

    /// Brings what is known of a state near.
    pub fn prefetch(&self, state: StateId) {
        near(self.node(state));
    }

    fn node(&self, state: StateId) -> &Node {
        &self.nodes.get(state)[0]
    }

    fn ring(&self, state: StateId, pointer: &AtomicU32) -> StateId {
        pointer.load(Relaxed).checked_sub(1).unwrap_or(state)
    }

    fn is_root(&self, state: StateId) -> bool {
        self.node(state).parent.load(SeqCst) == 0
    }

    /// The root of a state's set, or what was it a moment ago.
    pub fn find(&self, state: StateId) -> StateId {
        let mut at = state;
        loop {
            let node = self.node(at);
            let parent = node.parent.load(Acquire);
            if parent == 0 {
                return at;
            }
            let above = self.node(parent - 1).parent.load(Acquire);
            if above == 0 {
                return parent - 1;
            }
            // Any state above is as good a parent: paths only get shorter.
            node.parent.store(above, Release);
            at = above - 1;
        }
    }

    pub fn same(&self, a: StateId, b: StateId) -> bool {
        loop {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                return true;
            }
            if self.is_root(a) {
                return false;
            }
        }
    }

    /// What the thread would find at a state, without coming to it.
    pub fn peek(&self, state: StateId, thread: u32) -> Claim {
        let node = self.node(self.find(state));
        match (node.flags.load(Acquire) & DEAD, node.visitors.load(Acquire) >> thread & 1) {
            (DEAD, _) => Claim::Dead,
            (_, 1) => Claim::Known,
            _ => Claim::New,
        }
    }

    /// The thread comes to a state.
    pub fn claim(&self, state: StateId, thread: u32) -> Claim {
        match self.peek(state, thread) {
            Claim::New => {}
            known => return known,
        }
        // From here on the state is new to the thread, even if the set is merged with one it knows
        // meanwhile.
        let mut root = self.find(state);
        loop {
            self.node(root).visitors.fetch_or(1 << thread, SeqCst);
            if self.is_root(root) {
                return Claim::New;
            }
            root = self.find(root);
        }
    }

    pub fn is_done(&self, state: StateId) -> bool {
        self.node(state).flags.load(Acquire) & DONE != 0
    }

    /// All edges of the state lead into its own set or into dead ones, and its marks are counted.
    pub fn done(&self, state: StateId) {
        self.node(state).flags.fetch_or(DONE, AcqRel);
    }

    /// A state of the set that is not done; different threads get different ones as long as there
    /// are.
    pub fn pick(&self, state: StateId) -> Pick {
        let root = self.lock(state);
        let node = self.node(root);
        let pick = if node.flags.load(Relaxed) & DEAD != 0 {
            Pick::Dead
        } else {
            match self.first_not_done(root) {
                Some(state) => Pick::State(state),
                None => {
                    node.flags.fetch_or(DEAD, AcqRel);
                    Pick::Completed
                }
            }
        };
        self.unlock(root);
        pick
    }

    /// Goes on in the ring of a locked root to the next state that is not done; drops those that
    /// are.
    fn first_not_done(&self, root: StateId) -> Option<StateId> {
        let before = self.ring(root, &self.node(root).head);
        loop {
            let next = self.ring(before, &self.node(before).next);
            if !self.is_done(next) {
                self.node(root).head.store(next + 1, Relaxed);
                return Some(next);
            }
            if next == before {
                return None;
            }
            let after = self.ring(next, &self.node(next).next);
            self.node(before).next.store(after + 1, Relaxed);
        }
    }

    /// Makes one set of two. There must be a cycle through them.
    pub fn unite(&self, a: StateId, b: StateId) {
        let Some((lower, upper)) = self.lock_both(a, b) else { return };
        let (low, up) = (self.node(lower), self.node(upper));
        if (low.flags.load(Relaxed) | up.flags.load(Relaxed)) & DEAD == 0 {
            let (a, b) = (self.ring(lower, &low.head), self.ring(upper, &up.head));
            self.splice(a, b, |node| &node.next);
            self.splice(lower, upper, |node| &node.member);
            low.parent.store(upper + 1, SeqCst);
            up.flags.fetch_or(CYCLIC, AcqRel);
            up.visitors.fetch_or(low.visitors.load(SeqCst), SeqCst);
            for (from, to) in self.marks.get(lower).iter().zip(self.marks.get(upper)) {
                to.fetch_or(from.load(Relaxed), AcqRel);
            }
        }
        self.unlock(upper);
        self.unlock(lower);
    }

    /// Makes one ring of two.
    fn splice(&self, a: StateId, b: StateId, pointer: impl Fn(&Node) -> &AtomicU32) {
        let (a_next, b_next) = (self.ring(a, pointer(self.node(a))), self.ring(b, pointer(self.node(b))));
        pointer(self.node(a)).store(b_next + 1, Relaxed);
        pointer(self.node(b)).store(a_next + 1, Relaxed);
    }

    /// Adds marks of edges on a cycle inside the set of a state. Tells whether the set may count
    /// now, if anything about it changed; `united` says that it did.
    pub fn mark(&self, state: StateId, marks: &[u64], united: bool, wanted: &Wanted) -> bool {
        if !united && !self.is_news(self.find(state), marks) {
            return false;
        }
        let root = self.lock(state);
        self.node(root).flags.fetch_or(CYCLIC, AcqRel);
        for (place, marks) in self.marks.get(root).iter().zip(marks) {
            place.fetch_or(*marks, AcqRel);
        }
        let counts = wanted.satisfied(&self.marks(root));
        self.unlock(root);
        counts
    }

    /// Would these marks, or that there is a cycle, change what is known of the set?
    fn is_news(&self, root: StateId, marks: &[u64]) -> bool {
        self.node(root).flags.load(Acquire) & CYCLIC == 0
            || self.marks.get(root).iter().zip(marks).any(|(have, marks)| marks & !have.load(Acquire) != 0)
    }

    /// Could a path inside the set of a state count, if requests were avoided?
    pub fn may_count(&self, state: StateId, wanted: &Wanted) -> bool {
        let root = self.find(state);
        self.node(root).flags.load(Acquire) & CYCLIC != 0 && wanted.recurs(&self.marks(root))
    }

    fn marks(&self, root: StateId) -> Vec<u64> {
        self.marks.get(root).iter().map(|word| word.load(Acquire)).collect()
    }

    /// All states of the set of a state.
    pub fn members(&self, state: StateId) -> Vec<StateId> {
        let root = self.lock(state);
        let mut members = vec![root];
        let mut at = self.ring(root, &self.node(root).member);
        while at != root {
            members.push(at);
            at = self.ring(at, &self.node(at).member);
        }
        members.iter().zip(0..).for_each(|(state, place)| self.node(*state).place.store(place, Release));
        self.unlock(root);
        members
    }

    /// Where a state is among all members of a set. For a dead set this is exact; another thread
    /// that asks for the members of a live one can make a state be missed.
    pub fn place(&self, members: &[StateId], state: StateId) -> Option<u32> {
        if state == NOWHERE {
            return None;
        }
        let place = self.node(state).place.load(Acquire);
        (members.get(place as usize) == Some(&state)).then_some(place)
    }

    pub fn memory_bytes(&self) -> u64 {
        self.nodes.memory_bytes() + self.marks.memory_bytes()
    }

    /// Locks the set of a state; its root.
    fn lock(&self, state: StateId) -> StateId {
        loop {
            let root = self.find(state);
            self.lock_node(root);
            if self.is_root(root) {
                return root;
            }
            self.unlock(root);
        }
    }

    /// Locks the sets of two states unless they are one; the roots in the order of their numbers.
    fn lock_both(&self, a: StateId, b: StateId) -> Option<(StateId, StateId)> {
        loop {
            let (a, b) = (self.find(a), self.find(b));
            let (lower, upper) = (a.min(b), a.max(b));
            if lower == upper {
                return None;
            }
            self.lock_node(lower);
            self.lock_node(upper);
            if self.is_root(lower) && self.is_root(upper) {
                return Some((lower, upper));
            }
            self.unlock(upper);
            self.unlock(lower);
        }
    }

    fn lock_node(&self, state: StateId) {
        let flags = &self.node(state).flags;
        let mut tries = 0;
        while flags.fetch_or(LOCKED, Acquire) & LOCKED != 0 {
            tries += 1;
            if tries % 64 == 0 { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
    }

    fn unlock(&self, state: StateId) {
        self.node(state).flags.fetch_and(!LOCKED, Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emptiness::graph::Acceptance;
    use std::thread;

    const STATES: u32 = 3000;
    const THREADS: u32 = 4;

    /// The pairs a thread unites; chains that meet those of others.
    fn pairs(thread: u32) -> impl Iterator<Item = (u32, u32)> {
        (0..STATES).filter(move |k| k % THREADS == thread).map(|k| (k, (k * k + 13) % STATES))
    }

    /// The sets that all these pairs make, each state with the least of its set.
    fn expected() -> Vec<u32> {
        let mut least: Vec<u32> = (0..STATES).collect();
        let all: Vec<(u32, u32)> = (0..THREADS).flat_map(pairs).filter(|(a, _)| a % 3 != 0).collect();
        while let Some((a, b)) = all.iter().find(|(a, b)| least[*a as usize] != least[*b as usize]) {
            let (a, b) = (least[*a as usize], least[*b as usize]);
            least.iter_mut().filter(|l| **l == a.max(b)).for_each(|l| *l = a.min(b));
        }
        least
    }

    fn united(wanted: &Wanted) -> Sets {
        let sets = Sets::new(1);
        thread::scope(|scope| {
            for thread in 0..THREADS {
                let sets = &sets;
                scope.spawn(move || {
                    for (a, b) in pairs(thread) {
                        sets.claim(a, thread);
                        sets.mark(a, &[1 << (a % 60)], false, wanted);
                        if a % 3 != 0 {
                            sets.unite(a, b);
                        }
                    }
                });
            }
        });
        sets
    }

    #[test]
    fn threads_make_the_sets_one_would_make() {
        let wanted = Wanted::new(&Acceptance { marks: 61, recurrent: vec![60], pairs: Vec::new() });
        let least = expected();
        assert!(least.iter().any(|l| least.iter().filter(|m| *m == l).count() > 100), "sets are large");
        for _ in 0..20 {
            let sets = united(&wanted);
            for state in 0..STATES {
                let mine = |other: &u32| least[*other as usize] == least[state as usize];
                let all: Vec<u32> = (0..STATES).filter(mine).collect();
                assert!((0..STATES).step_by(37).all(|other| sets.same(state, other) == mine(&other)));
                let root = sets.find(state);
                if state != least[state as usize] {
                    continue;
                }
                let mut members = sets.members(state);
                assert!(members.iter().all(|m| members[sets.place(&members, *m).unwrap() as usize] == *m));
                members.sort_unstable();
                assert_eq!(members, all);
                let visitors = all.iter().fold(0, |bits, s| bits | 1 << (s % THREADS));
                assert_eq!(sets.node(root).visitors.load(SeqCst), visitors);
                let marks = all.iter().fold(0, |bits, s| bits | 1 << (s % 60));
                assert_eq!(sets.marks(root), [marks]);
            }
        }
    }

    #[test]
    fn each_state_is_picked_until_it_is_done_and_then_the_set_is_dead() {
        let wanted = Wanted::new(&Acceptance { marks: 61, recurrent: vec![60], pairs: Vec::new() });
        let sets = united(&wanted);
        for state in 0..STATES {
            let mut left = sets.members(state);
            if sets.peek(state, 60) == Claim::Dead {
                assert_eq!(sets.pick(state), Pick::Dead);
                continue;
            }
            while let Pick::State(picked) = sets.pick(state) {
                left.retain(|other| *other != picked);
                sets.done(picked);
            }
            assert_eq!(left, []);
            assert_eq!((sets.peek(state, 60), sets.pick(state)), (Claim::Dead, Pick::Dead));
        }
    }
}
