//! The reachable states of a system, in domains that grow until they are large enough.

use crate::build::{Built, build};
use crate::diagram::{Ask, Bdd, NoAnswer, Space, count, meets};
use crate::layout::{Domain, OutOfDomain};
use logic::fol;
use num_bigint::BigUint;
use oxidd::BooleanFunction;
use system::fts::step::Valuation;
use system::fts::{Fairness, Fts};

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Runs need be no fairer than this to any transition.
    pub fairness: Fairness,
    /// Nodes of decision diagrams at once.
    pub nodes: usize,
    /// Values that one part of a state may have, if they are not declared; places of a channel.
    pub values: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { fairness: Fairness::Strong, nodes: 1 << 23, values: 256 }
    }
}

/// Declared ranges may have this many values.
const DECLARED: usize = 4096;

/// A system with all its reachable states.
pub struct Search<'a> {
    pub(crate) space: Space<'a>,
    pub(crate) fts: &'a Fts,
    pub(crate) built: Built,
    pub(crate) reached: Bdd,
    constrained: bool,
    /// What cannot be done in some reachable state. Such states are not left, so others may be
    /// missing.
    fault: Option<String>,
}

impl<'a> Search<'a> {
    /// Finds the reachable states, without those that break an invariant and what lies behind them;
    /// `ask` is asked now and then whether to go on.
    pub fn new(
        fts: &'a Fts,
        given: &Valuation,
        invariants: &[fol::Term],
        options: &Options,
        ask: &'a Ask<'a>,
    ) -> Result<Search<'a>, NoAnswer> {
        let declared = |v| Domain::declared(v, given, DECLARED);
        let mut domains: Vec<Domain> = fts.variables.iter().map(declared).collect();
        loop {
            let space = Space::new(options.nodes, ask);
            let mut built = build(&space, fts, given, options.fairness, &domains)?;
            let outside: Vec<&OutOfDomain> = built.outside.iter().filter(|e| e.when.satisfiable()).collect();
            if !outside.is_empty() {
                grow(fts, &mut domains, &outside, options.values)?;
                continue;
            }
            let outside = built.outside(&space, fts, given, invariants)?;
            let (barred, none) = (built.machine.bar(&outside)?, !built.machine.initial.satisfiable());
            if none && !barred.initially {
                return Err(NoAnswer::Refused("no state is initial".to_string()));
            }
            let faulty = space.any(built.faults.iter().map(|(when, _)| when))?;
            built.machine.halt(&faulty)?;
            let alarm = space.any(built.out_of_domain.iter().map(|e| &e.when))?;
            let (reached, alarmed) = built.machine.reachable(&space, &alarm)?;
            if !alarmed {
                let mut fault = None;
                for (when, what) in &built.faults {
                    if fault.is_none() && meets(&reached, when)? {
                        fault = Some(what.clone());
                    }
                }
                let constrained = barred.initially || meets(&reached, &barred.before)?;
                return Ok(Search { space, fts, built, reached, constrained, fault });
            }
            let mut met = Vec::new();
            for outside in &built.out_of_domain {
                if meets(&reached, &outside.when)? {
                    met.push(outside);
                }
            }
            grow(fts, &mut domains, &met, options.values)?;
        }
    }

    /// How many states are reachable.
    pub fn states(&self) -> BigUint {
        count(&self.reached, self.built.machine.bits.len())
    }

    /// How many steps there are between reachable states, without idling; pairs of states count
    /// once.
    pub fn steps(&self) -> Result<BigUint, NoAnswer> {
        let steps = self.built.machine.steps(&self.space, &self.reached)?;
        Ok(count(&steps, 2 * self.built.machine.bits.len()))
    }

    /// Whether states were not entered because they break an invariant.
    pub fn is_constrained(&self) -> bool {
        self.constrained
    }

    /// What cannot be done in some reachable state, if there is such a thing: then not all states
    /// were found.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// How many states are initial.
    pub fn initial(&self) -> BigUint {
        count(&self.built.machine.initial, self.built.machine.bits.len())
    }

    /// Bits of a state.
    pub fn bits(&self) -> usize {
        self.built.machine.bits.len()
    }

    /// The most nodes that were there at once.
    pub fn nodes(&self) -> usize {
        self.space.peak()
    }
}

/// Lets values in that steps lead to.
fn grow(
    fts: &Fts,
    domains: &mut [Domain],
    out_of_domain: &[&OutOfDomain],
    most: usize,
) -> Result<(), NoAnswer> {
    for outside in out_of_domain {
        let domain = &mut domains[outside.variable];
        if domain.has(&outside.way, &outside.value) {
            continue;
        }
        if domain.admit(&outside.way, &outside.value) > most {
            let name = &fts.variables[outside.variable].symbol.name;
            return Err(NoAnswer::Refused(format!(
                "`{name}` has more than {most} values, perhaps infinitely many; declare its range, or use the explicit engine"
            )));
        }
    }
    Ok(())
}
