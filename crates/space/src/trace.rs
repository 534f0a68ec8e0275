//! What a step of one actor depends on: the parts of a state it looked at or wrote.

/// Parts of a state in the order in which a step first came to them. Off unless it was begun.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// By byte: its part; [`Trace::ANY`] if nothing depends on it but how the state is cut.
    part_of: Vec<u16>,
    seen: Vec<bool>,
    parts: Vec<u16>,
}

impl Trace {
    /// Stands for no part.
    pub const ANY: u16 = u16::MAX;

    /// Notes from now on, for states cut like this.
    pub fn begin(&mut self, part_of: &[u16], parts: usize) {
        self.part_of.clear();
        self.part_of.extend_from_slice(part_of);
        self.seen.clear();
        self.seen.resize(parts, false);
        self.parts.clear();
    }

    /// Notes no more; what was noted stays.
    pub fn end(&mut self) {
        self.part_of.clear();
    }

    /// Whether anything is noted.
    pub fn is_on(&self) -> bool {
        !self.part_of.is_empty()
    }

    /// The step looks at a byte, or writes it.
    #[inline]
    pub fn note(&mut self, at: usize) {
        if let Some(part) = self.part_of.get(at) {
            self.add(*part);
        }
    }

    /// The same for several bytes.
    #[inline]
    pub fn note_all(&mut self, from: usize, to: usize) {
        if self.is_on() {
            (from..to).for_each(|at| self.note(at));
        }
    }

    /// The step depends on a part.
    pub fn add(&mut self, part: u16) {
        if let Some(seen) = self.seen.get_mut(part as usize)
            && !*seen
        {
            *seen = true;
            self.parts.push(part);
        }
    }

    /// What was noted, in order.
    pub fn parts(&self) -> &[u16] {
        &self.parts
    }
}
