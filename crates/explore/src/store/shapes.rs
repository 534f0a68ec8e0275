//! How states are cut: each way to cut is a *shape*, with a number.
//!
//! States of one shape have the same length and the same bytes where it matters for the cut
//! ([`space::Cut::deciding`]): in a model, the same processes. Everything that depends on where the
//! parts of a state are is known by shape.

use super::coder::LONGEST;
use space::{Cut, Trace};
use std::collections::HashMap;
use std::ops::Range;

/// One way to cut states.
#[derive(Clone, Default)]
pub(crate) struct Shape {
    /// Where the parts end, parts that are joined as one.
    pub ends: Vec<u32>,
    /// By byte: the part it is in.
    pub part_of: Vec<u16>,
    /// The same without the bytes that decide.
    pub noted: Vec<u16>,
    /// By part: the bytes in it that decide how a state is cut.
    deciding: Vec<Deciding>,
    /// All of them, with their values.
    all: Vec<(u32, u8)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Deciding {
    Nothing,
    At(u32, u8),
    Several,
}

impl Shape {
    fn new(state: &[u8], cut: Cut, joined: &[Joined]) -> Shape {
        let mut ends = cut.ends;
        split(&mut ends);
        joined.iter().for_each(|joined| join(&mut ends, joined));
        let all = cut.deciding.iter().map(|at| (*at, state[*at as usize])).collect();
        Shape::of(ends, all)
    }

    /// One with these parts, and these bytes that decide.
    fn of(ends: Vec<u32>, all: Vec<(u32, u8)>) -> Shape {
        let mut shape = Shape { all, ..Shape::default() };
        let mut start = 0;
        for (part, end) in ends.iter().enumerate() {
            shape.part_of.extend((start..*end).map(|_| part as u16));
            let mut inside = shape.all.iter().filter(|(at, _)| (start..*end).contains(at));
            shape.deciding.push(match (inside.next(), inside.next()) {
                (None, _) => Deciding::Nothing,
                (Some((at, value)), None) => Deciding::At(*at, *value),
                _ => Deciding::Several,
            });
            start = *end;
        }
        shape.noted = shape.part_of.clone();
        shape.all.iter().for_each(|(at, _)| shape.noted[*at as usize] = Trace::ANY);
        shape.ends = ends;
        shape
    }

    /// Whether a state of the same length that differs in a part may have another shape.
    #[inline]
    pub fn is_left(&self, part: usize, state: &[u8]) -> bool {
        match self.deciding[part] {
            Deciding::Nothing => false,
            Deciding::At(at, value) => state[at as usize] != value,
            Deciding::Several => self.all.iter().any(|(at, value)| state[*at as usize] != *value),
        }
    }

    /// Where a part begins and ends; one that states of this shape lack is empty.
    #[inline]
    pub fn range(&self, part: usize) -> (usize, usize) {
        match self.ends.get(part) {
            None => (0, 0),
            Some(end) if part == 0 => (0, *end as usize),
            Some(end) => (self.ends[part - 1] as usize, *end as usize),
        }
    }

    fn memory_bytes(&self) -> u64 {
        (4 * self.ends.capacity() + 2 * (self.part_of.capacity() + self.noted.capacity())) as u64
    }
}

/// Which parts are joined to the one before them.
#[derive(Clone, Default)]
pub(crate) struct Joined {
    /// By part, as far as there are any.
    pub parts: Vec<bool>,
    /// Of the parts after those, this many become one; none are joined if it is 0.
    pub rest: usize,
}

impl Joined {
    /// The parts that become one, in order.
    pub fn runs(&self) -> Vec<Range<usize>> {
        let firsts = (0..self.parts.len()).filter(|part| !self.parts[*part] || *part == 0);
        let mut runs: Vec<Range<usize>> = firsts.map(|first| first..first).collect();
        let ends: Vec<usize> = runs.iter().skip(1).map(|run| run.start).chain([self.parts.len()]).collect();
        runs.iter_mut().zip(ends).for_each(|(run, end)| run.end = end);
        runs
    }

    fn has(&self, part: usize) -> bool {
        match self.parts.get(part) {
            Some(joined) => *joined,
            None => (part - self.parts.len()).checked_rem(self.rest).is_some_and(|at| at != 0),
        }
    }
}

/// Leaves out the ends of parts that are joined to the next one, unless they would be too long.
fn join(ends: &mut Vec<u32>, joined: &Joined) {
    let before = std::mem::take(ends);
    let mut start = 0;
    for (part, end) in before.iter().enumerate() {
        let next = before.get(part + 1).filter(|next| joined.has(part + 1) && *next - start <= LONGEST);
        if next.is_none() {
            ends.push(*end);
            start = *end;
        }
    }
}

/// Cuts what is too long for a part.
fn split(ends: &mut Vec<u32>) {
    let mut start = 0;
    let pieces = ends.iter().flat_map(|end| {
        let from = std::mem::replace(&mut start, *end);
        (from + LONGEST..*end).step_by(LONGEST as usize).chain([*end])
    });
    *ends = pieces.collect();
}

/// All shapes that came up.
#[derive(Clone, Default)]
pub(crate) struct Shapes {
    shapes: Vec<Shape>,
    numbers: HashMap<Vec<u8>, u32>,
    /// What was joined, one time after the other.
    joined: Vec<Joined>,
    room: Room,
}

/// Room for a cut and for what identifies it.
#[derive(Clone, Default)]
pub(crate) struct Room {
    cut: Cut,
    name: Vec<u8>,
}

impl Shapes {
    /// Joins parts of all shapes, and of those that come.
    pub fn join(&mut self, joined: Joined) {
        for shape in &mut self.shapes {
            let mut ends = std::mem::take(&mut shape.ends);
            join(&mut ends, &joined);
            *shape = Shape::of(ends, std::mem::take(&mut shape.all));
        }
        self.joined.push(joined);
    }

    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    pub fn get(&self, number: u32) -> &Shape {
        &self.shapes[number as usize]
    }

    /// The number of a state's shape, a new one if need be.
    pub fn number(&mut self, state: &[u8], cut: impl FnOnce(&[u8], &mut Cut)) -> u32 {
        let mut room = std::mem::take(&mut self.room);
        let number = self.find(state, cut, &mut room).unwrap_or_else(|| {
            let number = self.shapes.len() as u32;
            self.shapes.push(Shape::new(state, std::mem::take(&mut room.cut), &self.joined));
            self.numbers.insert(room.name.clone(), number);
            number
        });
        self.room = room;
        number
    }

    /// The number of a state's shape, if it has one.
    pub fn find(&self, state: &[u8], cut: impl FnOnce(&[u8], &mut Cut), room: &mut Room) -> Option<u32> {
        let Room { cut: into, name } = room;
        into.ends.clear();
        into.deciding.clear();
        cut(state, into);
        name.clear();
        name.extend_from_slice(&(state.len() as u64).to_le_bytes());
        for at in &into.deciding {
            name.extend_from_slice(&at.to_le_bytes());
            name.push(state[*at as usize]);
        }
        self.numbers.get(name).copied()
    }

    pub fn memory_bytes(&self) -> u64 {
        self.shapes.iter().map(Shape::memory_bytes).sum()
    }
}
