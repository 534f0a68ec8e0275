//! Frames: sets of cubes that are not reached within a number of steps.
//!
//! A cube that is not reached in n steps is not reached in fewer, so each is kept once, at the last
//! frame it is known of.

use super::predicates::Cube;

#[derive(Default)]
pub(crate) struct Frames {
    levels: Vec<Vec<Cube>>,
}

impl Frames {
    /// Makes room for cubes up to a level, and one more that propagation leads to.
    pub(crate) fn reach(&mut self, level: usize) {
        self.levels.resize_with(self.levels.len().max(level + 2), Vec::new);
    }

    /// The cubes that a frame excludes.
    pub(crate) fn from(&self, level: usize) -> impl Iterator<Item = &Cube> {
        self.levels.iter().skip(level).flatten()
    }

    pub(crate) fn exactly(&self, level: usize) -> Vec<Cube> {
        self.levels.get(level).cloned().unwrap_or_default()
    }

    /// Whether a frame excludes a cube as a whole by one clause.
    pub(crate) fn excludes(&self, cube: &Cube, level: usize) -> bool {
        self.from(level).any(|larger| within(cube, larger))
    }

    /// Takes a cube out of all frames up to a level; smaller ones there say no more.
    pub(crate) fn add(&mut self, cube: Cube, level: usize) {
        self.reach(level);
        for cubes in &mut self.levels[..=level] {
            cubes.retain(|smaller| !within(smaller, &cube));
        }
        self.levels[level].push(cube);
    }

    /// Moves a cube one frame on.
    pub(crate) fn raise(&mut self, cube: &Cube, level: usize) {
        self.levels[level].retain(|c| c != cube);
        self.add(cube.clone(), level + 1);
    }
}

/// Whether every state of a cube is one of a larger cube: it has all of its literals.
fn within(cube: &Cube, larger: &Cube) -> bool {
    larger.iter().all(|literal| cube.contains(literal))
}
