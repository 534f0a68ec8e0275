//! A line of elements into which others are put, each right behind one that is there; which is in
//! front of which is a comparison of two numbers.
//!
//! After Bender, Cole, Demaine, Farach-Colton and Zito (*Two simplified algorithms for maintaining
//! order in a list*, 2002). Each element has a tag; a new one gets a tag in the middle of the gap
//! behind its neighbour. Where there is no gap, the smallest aligned range of tags around the place
//! that is sparse enough gets its tags spread evenly: amortized O(log n).

/// An element of the line.
pub(crate) type Place = u32;

/// The head of the line, in front of everything.
pub(crate) const FRONT: Place = 0;

const NONE: Place = Place::MAX;

/// Tags are below this.
const LIMIT: u64 = 1 << 62;

/// How much fuller a range half the size may be.
const CROWD: f64 = 1.4;

pub(crate) struct Line {
    tags: Vec<u64>,
    before: Vec<Place>,
    behind: Vec<Place>,
}

impl Default for Line {
    fn default() -> Self {
        Line { tags: vec![0], before: vec![NONE], behind: vec![NONE] }
    }
}

impl Line {
    /// Whether `a` stands in front of `b`.
    pub(crate) fn is_before(&self, a: Place, b: Place) -> bool {
        self.tags[a as usize] < self.tags[b as usize]
    }

    /// A new element, right behind `at`.
    pub(crate) fn insert(&mut self, at: Place) -> Place {
        if self.gap(at) < 2 {
            self.spread(at);
        }
        let new = self.tags.len() as Place;
        let next = self.behind[at as usize];
        self.tags.push(self.tags[at as usize] + self.gap(at) / 2);
        self.before.push(at);
        self.behind.push(next);
        self.behind[at as usize] = new;
        if next != NONE {
            self.before[next as usize] = new;
        }
        new
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        (16 * self.tags.capacity()) as u64
    }

    /// How far the next tag is.
    fn gap(&self, at: Place) -> u64 {
        let next = self.behind[at as usize];
        let end = if next == NONE { LIMIT } else { self.tags[next as usize] };
        end - self.tags[at as usize]
    }

    /// Makes room behind an element.
    fn spread(&mut self, at: Place) {
        let (mut first, mut last, mut count) = (at, at, 1u64);
        let mut allowed = 1.0;
        for bits in 1..=62 {
            allowed *= 2.0 / CROWD;
            let low = self.tags[at as usize] >> bits << bits;
            let high = low + (1 << bits);
            let inside = |place: Place| place != NONE && (low..high).contains(&self.tags[place as usize]);
            while inside(self.before[first as usize]) {
                first = self.before[first as usize];
                count += 1;
            }
            while inside(self.behind[last as usize]) {
                last = self.behind[last as usize];
                count += 1;
            }
            if (count as f64) < allowed || bits == 62 {
                return self.tag(first, low, (1 << bits) / count, count);
            }
        }
    }

    /// Gives `count` elements tags from `low` on, a step apart.
    fn tag(&mut self, first: Place, low: u64, step: u64, count: u64) {
        let mut at = first;
        for k in 0..count {
            self.tags[at as usize] = low + k * step;
            at = self.behind[at as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every element is where a plain list has it.
    fn agrees(choose: impl Fn(usize) -> usize) {
        let mut line = Line::default();
        let mut list = vec![FRONT];
        for k in 0..3000 {
            let at = choose(k) % list.len();
            let new = line.insert(list[at]);
            list.insert(at + 1, new);
        }
        assert!(list.windows(2).all(|pair| line.is_before(pair[0], pair[1])));
    }

    #[test]
    fn elements_stand_where_they_were_put() {
        agrees(|_| 0);
        agrees(|k| k);
        agrees(|k| k / 2);
        agrees(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
    }
}
