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
use independence::fold::Folding;
use space::Cut;
use std::collections::HashMap;
use std::ops::Range;

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
    /// Whether keys lack bits: they must be widened, and those made since are wrong.
    pub fn is_outgrown(&self) -> bool {
        self.outgrown
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

    /// What the parts are now, for those who join them.
    pub fn dictionaries(&self) -> &[Dictionary] {
        &self.dictionaries
    }

    /// Joins parts: from now on this makes other keys. What makes them of the old ones, which it
    /// must [learn](Rejoining::learn) first; then [`Coder::widen`] gives the parts their bits.
    pub fn join(&mut self, joined: Joined) -> Rejoining {
        let mut old = std::mem::take(&mut self.dictionaries);
        let mut runs = Vec::new();
        for parts in joined.runs() {
            let alone = parts.len() == 1;
            self.dictionaries.push(if alone {
                std::mem::take(&mut old[parts.start])
            } else {
                Dictionary::default()
            });
            runs.push(Run::new(parts, &self.fields));
        }
        self.shapes.join(joined);
        self.fields.clear();
        Rejoining { shape: self.shape, old, runs, string: Vec::new() }
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

/// From keys as they were to keys in which parts are joined.
pub(crate) struct Rejoining {
    shape: Field,
    /// The dictionaries of parts that are joined.
    old: Vec<Dictionary>,
    /// By part as it is now: what it was.
    runs: Vec<Run>,
    string: Vec<u8>,
}

/// Parts that become one.
struct Run {
    parts: Range<usize>,
    /// Where their numbers are in a key, side by side.
    shift: u32,
    mask: Key,
    fields: Vec<Field>,
    /// By these bits: the number of all together.
    numbers: Numbers,
}

/// Numbers of what stands in some bits of keys.
enum Numbers {
    /// The same as before.
    Same,
    /// In a table; the highest is none.
    Few(Vec<u32>),
    Many(HashMap<(u64, u64), u32, Folding>),
}

/// At most this many bits have a table.
const FEW: u32 = 14;

impl Run {
    fn new(parts: Range<usize>, fields: &[Field]) -> Run {
        let field = |part| fields.get(part).copied().unwrap_or_default();
        let fields: Vec<Field> = parts.clone().map(field).collect();
        let width = fields.iter().map(|field| field.width).sum::<u32>();
        let shift = fields.iter().filter(|field| field.width > 0).map(|field| field.shift).min();
        let numbers = match width {
            _ if parts.len() == 1 => Numbers::Same,
            ..=FEW => Numbers::Few(vec![u32::MAX; 1 << width]),
            _ => Numbers::Many(HashMap::default()),
        };
        let mask = if width == Key::BITS { Key::MAX } else { (1 << width) - 1 };
        Run { parts, shift: shift.unwrap_or(0), mask, fields, numbers }
    }

    /// The number of the part in an old key; it is known.
    #[inline]
    fn of(&self, key: Key) -> u32 {
        let bits = key >> self.shift & self.mask;
        match &self.numbers {
            Numbers::Same => bits as u32,
            Numbers::Few(numbers) => numbers[bits as usize],
            Numbers::Many(numbers) => numbers[&halves(bits)],
        }
    }
}

fn halves(bits: Key) -> (u64, u64) {
    (bits as u64, (bits >> 64) as u64)
}

impl Rejoining {
    /// Gives the joined parts of a stored state numbers.
    pub fn learn(&mut self, coder: &mut Coder, key: Key) {
        let Rejoining { old, runs, string, .. } = self;
        for (run, dictionary) in runs.iter_mut().zip(&mut coder.dictionaries) {
            let bits = key >> run.shift & run.mask;
            let known = match &run.numbers {
                Numbers::Same => true,
                Numbers::Few(numbers) => numbers[bits as usize] != u32::MAX,
                Numbers::Many(numbers) => numbers.contains_key(&halves(bits)),
            };
            if known {
                continue;
            }
            string.clear();
            let parts = old[run.parts.clone()].iter().zip(&run.fields);
            parts.for_each(|(dictionary, field)| dictionary.read(field.of(key), string));
            let number = dictionary.number(string);
            match &mut run.numbers {
                Numbers::Same => {}
                Numbers::Few(numbers) => numbers[bits as usize] = number,
                Numbers::Many(numbers) => drop(numbers.insert(halves(bits), number)),
            }
        }
    }

    /// The new key of an old one.
    pub fn of(&self, coder: &Coder, key: Key) -> Key {
        let shape = coder.shape.put(self.shape.of(key));
        let parts = self.runs.iter().zip(&coder.fields);
        parts.fold(shape, |new, (run, field)| new | field.put(run.of(key)))
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
