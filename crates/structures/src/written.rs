//! States as text: how many individuals there are, and what holds of them and is not derived.

use crate::concrete::{Concrete, State};
use crate::vocabulary::Predicate;

/// No state that is read has more individuals than this.
pub const INDIVIDUALS: usize = 64;

impl<'a> Concrete<'a> {
    /// The predicates that are not derived, and that models name.
    pub fn core(&self) -> impl Iterator<Item = &'a Predicate> + use<'a> {
        self.vocabulary.predicates.iter().filter(|p| !p.hidden && p.definition.is_none())
    }

    /// A state as one line: the number of individuals, then what holds; derived predicates are left
    /// out.
    pub fn written(&self, state: &State) -> String {
        let mut parts = vec![state.individuals.to_string()];
        for p in self.core() {
            for tuple in p.symbol.tuples(state.individuals) {
                if self.get(state, p.symbol, tuple) {
                    let who: Vec<String> = tuple[..p.symbol.arity()].iter().map(usize::to_string).collect();
                    parts.push(format!("{}({})", p.name, who.join(",")));
                }
            }
        }
        parts.join("; ")
    }

    /// The state that was written; `None` if it is none of the model.
    pub fn read(&self, text: &str) -> Option<State> {
        let mut parts = text.split("; ");
        let individuals: usize = parts.next()?.parse().ok().filter(|n| *n <= INDIVIDUALS)?;
        let mut state = self.empty(individuals);
        for part in parts {
            let (name, who) = part.strip_suffix(')')?.rsplit_once('(')?;
            let symbol = self.vocabulary.symbol(name)?;
            let who = who.split(',').filter(|w| !w.is_empty()).map(|w| w.parse().ok());
            let who: Vec<usize> = who.collect::<Option<_>>()?;
            if who.len() != symbol.arity() || who.iter().any(|u| *u >= individuals) {
                return None;
            }
            let tuple = [who.first().copied().unwrap_or(0), who.get(1).copied().unwrap_or(0)];
            self.set(&mut state, symbol, tuple, true);
        }
        self.derive(&mut state);
        Some(state)
    }
}
