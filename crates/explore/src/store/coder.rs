//! States as short numbers: each part of a state is looked up in a dictionary of its own, and the
//! numbers of the parts, side by side, are the *key* of the state.
//!
//! A stepper says where its states fall into parts ([`space::Cut`]): processes, channels,
//! variables. A part has few values even where there are many states, so a key has few bits. The
//! first field of a key is the number of the state's shape, that is, of the way it is cut
//! (`shapes.rs`). Two states have one key only if they are equal: the shape depends on the state
//! alone, and each part is known by its number exactly. A part that a state lacks is empty.
//!
//! * **Near a state.** A successor differs from the state at hand in few parts. Only those are
//!   looked up ([`Coder::near`]).
//! * **Widths.** Each part has as many bits as its numbers need so far. When a dictionary outgrows
//!   its bits, the store widens all keys ([`Coder::widen`]).
//! * **Joining.** If keys have too many bits, parts that are neighbours become one where that saves
//!   most bits on states seen (`joining.rs`); then all states are encoded again.
//!
//! After COLLAPSE (Holzmann, *State compression in SPIN*, 1997) and the tree compression of Blom,
//! Lisser, van de Pol and Weber (2011). Here the widths and the shape are found while the search
//! goes on.

use super::dictionary::Dictionary;
use super::shapes::{Joined, Room, Shape, Shapes};
use space::Cut;

/// The key of a state.
pub(crate) type Key = u128;

/// Keys have at most this many bits.
pub(crate) const MOST: u32 = Key::BITS;

/// No part is longer than this.
pub(super) const LONGEST: u32 = 1 << 16;

/// A state taken apart.
#[derive(Clone, Default)]
pub(crate) struct Apart {
    /// The state.
    pub bytes: Vec<u8>,
    /// Its key.
    pub key: Key,
    /// The number of its shape, and of its parts.
    pub shape: u32,
    numbers: Vec<u32>,
}

/// How keys are made of states.
#[derive(Clone, Default)]
pub(crate) struct Coder {
    shapes: Shapes,
    dictionaries: Vec<Dictionary>,
    /// Where the shape is in a key, and by part, where its number is.
    shape: Field,
    fields: Vec<Field>,
    /// Some dictionary has outgrown its bits.
    outgrown: bool,
    /// For a state that has another shape than the one at hand.
    other: Apart,
}

/// Some bits of a key.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Field {
    width: u32,
    shift: u32,
}

impl Field {
    /// What is there.
    #[inline]
    pub fn of(self, key: Key) -> u32 {
        (key >> self.shift) as u32 & ((1u64 << self.width) - 1) as u32
    }

    /// A number in its place.
    #[inline]
    fn put(self, number: u32) -> Key {
        Key::from(number) << self.shift
    }

    fn lacks(self, number: u32) -> bool {
        u64::from(number) >> self.width != 0
    }
}

impl Coder {
    /// An empty one in which these parts are joined.
    pub fn joining(joined: Joined) -> Coder {
        Coder { shapes: Shapes::joining(joined), ..Coder::default() }
    }

    /// Whether keys lack bits: they must be widened, and those made since are wrong.
    pub fn is_outgrown(&self) -> bool {
        self.outgrown
    }

    /// How many parts states have at most.
    pub fn parts(&self) -> usize {
        self.dictionaries.len()
    }

    /// Where the numbers of the parts are in a key.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The number of a key's shape.
    #[inline]
    pub fn shape_of(&self, key: Key) -> u32 {
        self.shape.of(key)
    }

    /// The shape with a number.
    pub fn shape(&self, number: u32) -> &Shape {
        self.shapes.get(number)
    }

    /// How many bits keys need.
    pub fn bits_needed(&self) -> u32 {
        bits(self.shapes.len()) + self.dictionaries.iter().map(|d| bits(d.len())).sum::<u32>()
    }

    /// Takes the state in `apart.bytes` apart. Its key is right unless keys lack bits.
    pub fn take_apart(&mut self, apart: &mut Apart, cut: impl FnOnce(&[u8], &mut Cut)) {
        apart.shape = self.shapes.number(&apart.bytes, cut);
        apart.numbers.clear();
        self.outgrown |= self.shape.lacks(apart.shape);
        apart.key = self.shape.put(apart.shape);
        let shape = self.shapes.get(apart.shape);
        while self.dictionaries.len() < shape.ends.len() {
            let mut dictionary = Dictionary::default();
            // States that came before lack this part: they have number 0 there.
            if self.shapes.len() > 1 {
                dictionary.number(&[]);
            }
            self.dictionaries.push(dictionary);
            self.outgrown = true;
        }
        for (part, dictionary) in self.dictionaries.iter_mut().enumerate() {
            let (start, end) = shape.range(part);
            let number = dictionary.number_at(&apart.bytes, start, end - start);
            let field = self.fields.get(part).copied().unwrap_or_default();
            self.outgrown |= field.lacks(number);
            apart.key |= field.put(number);
            apart.numbers.push(number);
        }
    }

    /// Takes the state with a key apart.
    pub fn open(&self, key: Key, apart: &mut Apart) {
        apart.bytes.clear();
        apart.numbers.clear();
        apart.key = key;
        apart.shape = self.shape.of(key);
        for (dictionary, field) in self.dictionaries.iter().zip(&self.fields) {
            let number = field.of(key);
            dictionary.read(number, &mut apart.bytes);
            apart.numbers.push(number);
        }
    }

    /// Appends the state with a key to `out`.
    pub fn read(&self, key: Key, out: &mut Vec<u8>) {
        for (dictionary, field) in self.dictionaries.iter().zip(&self.fields) {
            dictionary.read(field.of(key), out);
        }
    }

    /// The key of a state that is probably much like the one at hand; right unless keys lack bits.
    #[inline]
    pub fn near(&mut self, apart: &Apart, state: &[u8], cut: impl FnOnce(&[u8], &mut Cut)) -> Key {
        if state.len() != apart.bytes.len() {
            return self.far(state, cut);
        }
        let mut key = apart.key;
        let mut at = 0;
        while let Some(differs) = difference(&apart.bytes, state, at) {
            let shape = self.shapes.get(apart.shape);
            let part = shape.part_of[differs] as usize;
            if shape.is_left(part, state) {
                return self.far(state, cut);
            }
            let (start, end) = shape.range(part);
            let number = self.dictionaries[part].number_at(state, start, end - start);
            let field = self.fields[part];
            self.outgrown |= field.lacks(number);
            key ^= field.put(number ^ apart.numbers[part]);
            at = end;
        }
        key
    }

    /// The key of a state that is probably much like the one at hand, if all its parts are known.
    pub fn known(
        &self,
        apart: &Apart,
        state: &[u8],
        cut: impl FnOnce(&[u8], &mut Cut),
        room: &mut Room,
    ) -> Option<Key> {
        if state.len() != apart.bytes.len() {
            return self.known_far(state, cut, room);
        }
        let mut key = apart.key;
        let mut at = 0;
        while let Some(differs) = difference(&apart.bytes, state, at) {
            let shape = self.shapes.get(apart.shape);
            let part = shape.part_of[differs] as usize;
            if shape.is_left(part, state) {
                return self.known_far(state, cut, room);
            }
            let (start, end) = shape.range(part);
            let number = self.dictionaries[part].find_at(state, start, end - start)?;
            key ^= self.fields[part].put(number ^ apart.numbers[part]);
            at = end;
        }
        Some(key)
    }

    /// The key of any state, if all its parts are known.
    #[inline(never)]
    fn known_far(&self, state: &[u8], cut: impl FnOnce(&[u8], &mut Cut), room: &mut Room) -> Option<Key> {
        let number = self.shapes.find(state, cut, room)?;
        let shape = self.shapes.get(number);
        let mut key = self.shape.put(number);
        for (part, (dictionary, field)) in self.dictionaries.iter().zip(&self.fields).enumerate() {
            let (start, end) = shape.range(part);
            key |= field.put(dictionary.find_at(state, start, end - start)?);
        }
        Some(key)
    }

    /// The key of any state.
    #[inline(never)]
    pub fn far(&mut self, state: &[u8], cut: impl FnOnce(&[u8], &mut Cut)) -> Key {
        let mut other = std::mem::take(&mut self.other);
        other.bytes.clear();
        other.bytes.extend_from_slice(state);
        self.take_apart(&mut other, cut);
        let key = other.key;
        self.other = other;
        key
    }

    /// Gives each part the bits that it needs and shares out what is left of a whole number of
    /// bytes, first to the parts that are nearly full. Gives what makes new keys of old ones.
    pub fn widen(&mut self) -> Widening {
        let before = (self.shape, std::mem::take(&mut self.fields));
        let mut widths: Vec<u32> = self.dictionaries.iter().map(|d| bits(d.len())).collect();
        let shape = bits(self.shapes.len());
        // What was shared out stays where it is, so that most of a key moves as one.
        let had = |part: usize| before.1.get(part).map_or(0, |field| field.width);
        let kept: Vec<u32> = widths.iter().enumerate().map(|(part, width)| had(part).max(*width)).collect();
        if shape + kept.iter().sum::<u32>() <= MOST {
            widths = kept;
        }
        let needed = shape + widths.iter().sum::<u32>();
        for _ in needed..needed.next_multiple_of(8) {
            let fullest = (0..widths.len()).filter(|part| self.dictionaries[*part].len() > 1);
            let fill = |part: &usize| (self.dictionaries[*part].len() << 20) >> widths[*part];
            if let Some(part) = fullest.max_by_key(fill) {
                widths[part] += 1;
            }
        }
        self.shape = Field { width: shape, shift: 0 };
        let mut shift = shape;
        for width in widths {
            // A part without bits is at no place.
            self.fields.push(Field { width, shift: if width == 0 { 0 } else { shift } });
            shift += width;
        }
        self.outgrown = false;
        Widening::new(before, (self.shape, &self.fields))
    }

    /// How many bytes a key takes.
    pub fn key_bytes(&self) -> usize {
        let bits = self.shape.width + self.fields.iter().map(|f| f.width).sum::<u32>();
        bits.div_ceil(8) as usize
    }

    /// What the dictionaries take.
    pub fn memory_bytes(&self) -> u64 {
        self.dictionaries.iter().map(Dictionary::memory_bytes).sum::<u64>() + self.shapes.memory_bytes()
    }
}

/// From keys as they were to keys as they are.
pub(crate) struct Widening {
    /// Bits that move together, and how far up they move.
    moves: Vec<(Key, i32)>,
}

impl Widening {
    fn new(old: (Field, Vec<Field>), new: (Field, &[Field])) -> Widening {
        let mut moves: Vec<(Key, i32)> = Vec::new();
        let both = old.1.iter().zip(new.1).chain([(&old.0, &new.0)]).filter(|(from, _)| from.width > 0);
        for (from, to) in both {
            let bits = ((1 << from.width) - 1) << from.shift;
            let up = to.shift as i32 - from.shift as i32;
            match moves.iter_mut().find(|(_, other)| *other == up) {
                Some((all, _)) => *all |= bits,
                None => moves.push((bits, up)),
            }
        }
        Widening { moves }
    }

    pub fn of(&self, key: Key) -> Key {
        self.moves.iter().fold(0, |new, (bits, up)| {
            let moved = if *up >= 0 { (key & bits) << up } else { (key & bits) >> -up };
            new | moved
        })
    }
}

/// How many bits numbers below `count` have.
pub(super) fn bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// The first byte from `at` on in which two strings of the same length differ.
#[inline]
fn difference(a: &[u8], b: &[u8], mut at: usize) -> Option<usize> {
    let word = |bytes: &[u8]| bytes.first_chunk::<8>().map(|eight| u64::from_le_bytes(*eight));
    while let (Some(x), Some(y)) = (a.get(at..).and_then(word), b.get(at..).and_then(word)) {
        if x != y {
            return Some(at + ((x ^ y).trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    (at..a.len()).find(|at| a[*at] != b[*at])
}
