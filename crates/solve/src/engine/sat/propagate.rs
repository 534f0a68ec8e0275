//! Unit propagation with two watched literals: whenever one of them becomes false, another is
//! looked for.

use super::{ClauseId, Lit, Sat, Watch};

impl Sat {
    /// Unit propagation; the clause that became false, if one did.
    pub(super) fn propagate(&mut self) -> Option<ClauseId> {
        while self.propagated < self.trail.len() {
            let falsified = !self.trail[self.propagated];
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = 0;
            let mut conflict = None;
            let mut at = 0;
            while at < watches.len() {
                let watch = watches[at];
                at += 1;
                if conflict.is_some() || self.value(watch.blocker) == Some(true) {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                match self.visit(watch.clause, falsified) {
                    Visit::Gone | Visit::Moved => {}
                    Visit::True(blocker) => {
                        watches[kept] = Watch { blocker, ..watch };
                        kept += 1;
                    }
                    Visit::Unit(literal) => {
                        watches[kept] = watch;
                        kept += 1;
                        match self.value(literal) {
                            None => self.assign(literal, Some(watch.clause)),
                            _ => conflict = Some(watch.clause),
                        }
                    }
                }
            }
            watches.truncate(kept);
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// A watched literal of the clause became false.
    fn visit(&mut self, id: ClauseId, falsified: Lit) -> Visit {
        let values = &self.values;
        let value = |l: Lit| values[l.var()].map(|value| value == l.is_positive());
        let Some(clause) = &mut self.clauses[id] else { return Visit::Gone };
        let literals = &mut clause.literals;
        if literals[0] == falsified {
            literals.swap(0, 1);
        }
        let first = literals[0];
        if value(first) == Some(true) {
            return Visit::True(first);
        }
        for at in 2..literals.len() {
            if value(literals[at]) != Some(false) {
                literals.swap(1, at);
                let watched = literals[1];
                self.watches[watched.index()].push(Watch { clause: id, blocker: first });
                return Visit::Moved;
            }
        }
        Visit::Unit(first)
    }
}

enum Visit {
    Gone,
    True(Lit),
    Moved,
    Unit(Lit),
}
