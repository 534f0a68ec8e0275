//! Steps that are known: what an actor does in a state depends on few parts of it, and the same
//! parts come up in very many states.
//!
//! A stepper whose states have actors ([`space::Stepper::act`]) tells which parts of a state the
//! edges of an actor depend on, in the order in which it came to them. What comes next depends on
//! what was seen before. So the edges of an actor form a *tree*: a node asks for the number of one
//! part and goes on by it, a leaf has the edges. An edge is the difference of two keys: it changes
//! some parts, whose numbers before are known at the leaf. So a state is expanded without its
//! bytes, and the key of a successor is one exclusive or.
//!
//! Soundness rests on what the stepper promises of its trace. With debug assertions one state of
//! eight that are expanded here is expanded by the stepper as well, and both must agree.
//!
//! * Where edges have faults, or are cut or endless, the leaf says so, and the state is expanded as
//!   a whole by the stepper; so is one without any edge.
//! * Where leaves are seldom met again, the actor is not looked up for a while.
//! * After keys were widened, everything is forgotten: differences are of keys as they were.
//!
//! After the caching of Blom, van de Pol and Weber, *LTSmin* (2010): there the parts are known
//! beforehand, from a matrix; here they are found, and may depend on values.

use crate::store::coder::{Apart, Key};
use crate::store::packed::{Keys, Packed};
use space::{Edges, Label, Stepper, Trace};

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Its edges were added.
    Edges,
    /// The stepper must expand it as a whole.
    Whole,
    /// Keys must be widened first.
    Outgrown,
}

/// The edges of actors, as far as they are known.
#[derive(Default)]
pub(crate) struct Memo {
    /// By shape: the trees of its actors.
    shapes: Vec<Vec<Tree>>,
    nodes: Vec<Node>,
    /// The nodes that follow on a node, by the number of its part; 0 is none.
    next: Vec<u32>,
    /// What leaves have: by how much keys change, and the labels of the steps.
    changes: Vec<Key>,
    labels: Vec<Label>,
    /// For steps that are not known yet.
    apart: Apart,
    /// What of the state is in `apart`.
    opened: Option<Key>,
    out: Edges,
    trace: Trace,
    keys: Vec<Key>,
    /// There is no room for more.
    full: bool,
    /// How many states must be stored before everything is forgotten for want of room.
    forgets_at: usize,
}

/// What is known of an actor.
#[derive(Clone, Copy, Default)]
struct Tree {
    root: u32,
    /// How often it was looked up, and how often in vain.
    looks: u32,
    misses: u32,
    /// How many looks it is still left alone, and how often it was so far.
    wild: u32,
    times: u8,
}

#[derive(Clone, Copy)]
enum Node {
    /// Goes on by the number of a part, from a place in `next` on, if it is below a bound.
    Asks { part: u16, first: u32, room: u32 },
    /// Some of `changes` and `labels`.
    Leaf { first: u32, count: u32 },
    /// The state must be expanded as a whole.
    Whole,
}

/// A part with more values than this is not looked up.
const MOST_VALUES: u32 = 1 << 16;

/// What is known takes no more bytes than these (few with debug assertions, so that small models
/// test it), and these for each stored state.
const ROOM: u64 = if cfg!(debug_assertions) { 1 << 13 } else { 16 << 20 };
const ROOM_OF_STATE: u64 = 2;

/// After this many misses they are compared with the looks.
const TRIAL: u32 = if cfg!(debug_assertions) { 1 << 5 } else { 1 << 11 };

impl Memo {
    /// Forgets everything, since keys were widened, and shapes perhaps numbered anew.
    pub fn forget(&mut self) {
        self.shapes.clear();
        self.nodes.clear();
        self.next.clear();
        self.changes.clear();
        self.labels.clear();
        self.opened = None;
        self.full = false;
    }

    /// If there is no room for more, what is known is forgotten, once for twice as many states:
    /// much of it may be of actors that are not looked up any more, or of states far away.
    #[inline]
    fn account(&mut self, states: usize) {
        if self.full && states >= self.forgets_at {
            self.forget();
            self.forgets_at = 2 * states;
        }
    }

    pub fn memory_bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.next.capacity() * 4;
        (nodes + self.changes.capacity() * size_of::<Key>() + self.labels.capacity() * size_of::<Label>())
            as u64
    }

    /// Appends the keys of what the edges of a state lead to, and their labels, in the order in
    /// which the stepper gives them. Nothing is appended unless all are known.
    pub fn expand<S: Stepper>(
        &mut self,
        keyed: &mut impl Keys,
        stepper: &mut S,
        key: Key,
        keys: &mut Vec<Key>,
        labels: &mut Vec<Label>,
    ) -> Known {
        self.account(keyed.store().len());
        let before = (keys.len(), labels.len());
        let shape = keyed.store().shape_of(key);
        self.opened = None;
        let is_new = self.shapes.get(shape as usize).is_none_or(Vec::is_empty);
        if is_new && !self.meet(keyed.store(), stepper, key) {
            return Known::Whole;
        }
        for actor in 0..self.shapes[shape as usize].len() {
            let known = match self.find(keyed.store(), shape, actor, key) {
                Some(node) => self.take(node, key, keys, labels),
                None => self.learn(keyed, stepper, (key, actor), keys, labels),
            };
            if known != Known::Edges {
                keys.truncate(before.0);
                labels.truncate(before.1);
                return known;
            }
        }
        if keys.len() == before.0 {
            return Known::Whole;
        }
        #[cfg(debug_assertions)]
        if key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61 & 7 == 0 {
            self.compare(keyed.store(), stepper, key, (&keys[before.0..], &labels[before.1..]));
        }
        Known::Edges
    }

    /// The stepper must agree.
    #[cfg(debug_assertions)]
    fn compare(
        &mut self,
        store: &Packed,
        stepper: &mut impl Stepper,
        key: Key,
        (keys, labels): (&[Key], &[Label]),
    ) {
        self.open(store, key);
        self.out.clear();
        stepper.expand(&self.apart.bytes, &mut self.out);
        assert_eq!(self.out.labels, labels, "labels of {:?}", self.apart.bytes);
        assert!(self.out.faults.is_empty() && !self.out.cut, "something is wrong with a state");
        for (state, key) in self.out.iter().zip(keys) {
            let mut known = Vec::new();
            store.read_key(*key, &mut known);
            assert_eq!(known, state, "a successor of {:?}", self.apart.bytes);
        }
    }

    /// A state of a new shape; whether it has actors.
    #[cold]
    fn meet(&mut self, store: &Packed, stepper: &impl Stepper, key: Key) -> bool {
        let shape = store.shape_of(key) as usize;
        if self.shapes.len() <= shape {
            self.shapes.resize_with(shape + 1, Vec::new);
        }
        self.open(store, key);
        self.shapes[shape].resize(stepper.actors(&self.apart.bytes), Tree::default());
        !self.shapes[shape].is_empty()
    }

    fn open(&mut self, store: &Packed, key: Key) {
        if self.opened != Some(key) {
            store.open_key(key, &mut self.apart);
            self.opened = Some(key);
        }
    }

    /// Where what an actor does is written, if it is known.
    #[inline]
    fn find(&mut self, store: &Packed, shape: u32, actor: usize, key: Key) -> Option<u32> {
        let tree = &mut self.shapes[shape as usize][actor];
        tree.looks = tree.looks.saturating_add(1);
        if tree.root == 0 {
            return None;
        }
        let fields = store.fields();
        let mut at = tree.root;
        while let Node::Asks { part, first, room } = self.nodes[at as usize - 1] {
            let number = fields[part as usize].of(key);
            if number >= room {
                return None;
            }
            at = self.next[(first + number) as usize];
            if at == 0 {
                return None;
            }
        }
        Some(at)
    }

    #[inline]
    fn take(&self, node: u32, key: Key, keys: &mut Vec<Key>, labels: &mut Vec<Label>) -> Known {
        let Node::Leaf { first, count } = self.nodes[node as usize - 1] else { return Known::Whole };
        let of = first as usize..(first + count) as usize;
        keys.extend(self.changes[of.clone()].iter().map(|change| key ^ change));
        labels.extend_from_slice(&self.labels[of]);
        Known::Edges
    }

    /// Asks the stepper what an actor does, and keeps it.
    #[inline(never)]
    fn learn<S: Stepper>(
        &mut self,
        keyed: &mut impl Keys,
        stepper: &mut S,
        (key, actor): (Key, usize),
        keys: &mut Vec<Key>,
        labels: &mut Vec<Label>,
    ) -> Known {
        let store = keyed.store();
        self.open(store, key);
        let shape = self.apart.shape as usize;
        let keeps = self.keeps(shape, actor);
        self.out.clear();
        if keeps {
            let cut = store.shape(self.apart.shape);
            self.trace.begin(&cut.noted, store.fields().len());
        }
        stepper.act(&self.apart.bytes, actor, &mut self.trace, &mut self.out);
        self.trace.end();
        self.keys.clear();
        if !keyed.try_keys(&self.apart, &self.out, stepper, &mut self.keys) {
            return Known::Outgrown;
        }
        let out = &self.out;
        let is_whole = !out.faults.is_empty() || out.undefined.is_some() || out.cut || out.endless;
        keys.extend_from_slice(&self.keys);
        labels.extend_from_slice(&self.out.labels);
        if keeps {
            self.keep(keyed.store(), (shape, actor), key, is_whole);
            self.full = self.memory_bytes() > ROOM + ROOM_OF_STATE * keyed.store().len() as u64;
        }
        if is_whole { Known::Whole } else { Known::Edges }
    }

    /// Counts a miss; whether what the stepper says is to be kept.
    fn keeps(&mut self, shape: usize, actor: usize) -> bool {
        let tree = &mut self.shapes[shape][actor];
        if tree.wild > 0 {
            tree.wild -= 1;
            return false;
        }
        tree.misses += 1;
        if tree.misses >= TRIAL && tree.misses.is_power_of_two() && tree.misses > tree.looks / 4 {
            let pause = u64::from(tree.looks) << (2 * tree.times + 2).min(32);
            let wild = u32::try_from(pause).unwrap_or(u32::MAX);
            *tree = Tree { wild, times: tree.times.saturating_add(1), ..Tree::default() };
            return false;
        }
        !self.full
    }

    /// Adds what an actor does in the state at hand to its tree.
    fn keep(&mut self, store: &Packed, (shape, actor): (usize, usize), key: Key, is_whole: bool) {
        let fields = store.fields();
        // The parts that change: their numbers before must be known as well.
        for (part, field) in fields.iter().enumerate() {
            if self.keys.iter().any(|to| field.of(*to) != field.of(key)) {
                self.trace.add(part as u16);
            }
        }
        let asked: Vec<(u16, u32)> =
            self.trace.parts().iter().map(|part| (*part, fields[*part as usize].of(key))).collect();
        if asked.iter().any(|(_, number)| *number >= MOST_VALUES) {
            return;
        }
        let leaf = if is_whole {
            Node::Whole
        } else {
            let first = self.changes.len() as u32;
            self.changes.extend(self.keys.iter().map(|to| to ^ key));
            self.labels.extend_from_slice(&self.out.labels);
            Node::Leaf { first, count: self.keys.len() as u32 }
        };
        let root = self.shapes[shape][actor].root;
        if let Some(root) = self.put(root, &asked, leaf) {
            self.shapes[shape][actor].root = root;
        }
    }

    /// Puts a leaf below a node, 0 if there is none yet: the node, unless the tree says otherwise.
    fn put(&mut self, node: u32, asked: &[(u16, u32)], leaf: Node) -> Option<u32> {
        let Some(((part, number), rest)) = asked.split_first() else {
            return Some(self.add(leaf));
        };
        let node = if node == 0 { self.add(Node::Asks { part: *part, first: 0, room: 0 }) } else { node };
        let Node::Asks { part: found, first, room } = self.nodes[node as usize - 1] else { return None };
        if found != *part {
            debug_assert!(false, "the order in which parts are looked at depends on what is seen");
            return None;
        }
        let (first, _) = if *number < room { (first, room) } else { self.enlarge(node, *number) };
        let below = self.next[(first + number) as usize];
        let below = self.put(below, rest, leaf)?;
        self.next[(first + number) as usize] = below;
        Some(node)
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32
    }

    /// Makes room for a number behind a node.
    fn enlarge(&mut self, node: u32, number: u32) -> (u32, u32) {
        let Node::Asks { part, first, room } = self.nodes[node as usize - 1] else { return (0, 0) };
        let more = (number + 1).next_power_of_two().max(2);
        let start = self.next.len() as u32;
        self.next.extend_from_within(first as usize..(first + room) as usize);
        self.next.resize((start + more) as usize, 0);
        self.nodes[node as usize - 1] = Node::Asks { part, first: start, room: more };
        (start, more)
    }
}
