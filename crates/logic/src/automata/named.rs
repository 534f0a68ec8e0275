//! An automaton with names for its propositions, and labels as text.

use super::{Automaton, Cube, Label};

/// An automaton as files have it. Proposition i is called `names[i]`: an identifier, or an
/// expression of the host language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The automaton itself, over numbered propositions.
    pub automaton: Automaton,
    /// The names of the propositions, by number.
    pub names: Vec<String>,
}

/// How labels are written.
pub(super) struct Style {
    pub truth: &'static str,
    pub(crate) falsity: &'static str,
    pub and: &'static str,
    pub or: &'static str,
}

impl Style {
    /// A label, with `name` for each proposition.
    pub fn label(&self, label: &Label, name: &impl Fn(u32) -> String) -> String {
        match &label.cubes[..] {
            [] => self.falsity.to_owned(),
            cubes => join(cubes.iter().map(|cube| self.cube(cube, name)), self.or),
        }
    }

    fn cube(&self, cube: &Cube, name: &impl Fn(u32) -> String) -> String {
        let literals = (0..64).filter_map(|p| match (cube.positive >> p & 1, cube.negative >> p & 1) {
            (0, 0) => None,
            (1, 0) => Some(name(p)),
            (0, _) => Some(format!("!{}", name(p))),
            _ => Some(self.falsity.to_owned()),
        });
        let text = join(literals, self.and);
        if text.is_empty() { self.truth.to_owned() } else { text }
    }
}

fn join(parts: impl Iterator<Item = String>, between: &str) -> String {
    parts.collect::<Vec<_>>().join(between)
}

impl Automaton {
    /// Are all edges out of each state in the same sets?
    pub(crate) fn is_state_based(&self) -> bool {
        self.states.iter().all(|edges| edges.windows(2).all(|pair| pair[0].sets == pair[1].sets))
    }
}
