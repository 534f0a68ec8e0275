//! What is asked of a searched system: does it reach this, does a fair run break that; and whether
//! a formula is valid by itself.

use crate::diagram::{Ask, Bdd, NoAnswer, Space, meets};
use crate::encode::{Encoder, Scope};
use crate::feasible::feasible;
use crate::lasso::lasso;
use crate::machine::{Machine, Part};
use crate::product::Product;
use crate::search::{Options, Search};
use crate::tester::Tester;
use logic::fol;
use logic::ltl::{Formula, Lasso};
use oxidd::BooleanFunction;
use space::Path;
use system::fts::step::{State, Valuation};

impl Search<'_> {
    /// A shortest run to a state where an assertion is false, if there is one.
    pub fn breaks(&self, assertion: &fol::Term, given: &Valuation) -> Result<Option<Path<State>>, NoAnswer> {
        let encoder = self.encoder(given);
        let (yes, no) = encoder.truth(assertion, &mut Scope::new())?;
        if !meets(&self.reached, &no)? {
            if meets(&self.reached, &encoder.undefined(&(yes, no))?)? {
                return Err(NoAnswer::Refused(format!("`{assertion}` is undefined")));
            }
            return Ok(None);
        }
        let tester = Tester::new(&self.space, &Formula::TRUE)?;
        let product = Product::new(&self.space, &self.built.machine, tester)?;
        let way = crate::lasso::way(&product, &self.reached.and(&no)?)?;
        Ok(Some(way.map(|bits| self.built.layout.state(&bits))))
    }

    /// A fair run that breaks a formula, if there is one.
    pub fn violation(
        &self,
        formula: &Formula<fol::Term>,
        given: &Valuation,
    ) -> Result<Option<Path<State>>, NoAnswer> {
        if let Some(what) = self.fault() {
            return Err(NoAnswer::Refused(what.to_string()));
        }
        let mut unclear = None;
        let encoder = self.encoder(given);
        let sets = formula.clone().map(&mut |e: fol::Term| match self.atom(&encoder, &e) {
            Ok(set) => set,
            Err(cause) => {
                unclear.get_or_insert(cause);
                self.space.constant(false)
            }
        });
        if let Some(cause) = unclear {
            return Err(cause);
        }
        let tester = Tester::new(&self.space, &Formula::negation(sets))?;
        let product = Product::new(&self.space, &self.built.machine, tester)?;
        let Some(run) = fair_run(&product)? else { return Ok(None) };
        Ok(Some(run.map(|bits| self.built.layout.state(&bits))))
    }

    fn atom(&self, encoder: &Encoder<'_>, e: &fol::Term) -> Result<Bdd, NoAnswer> {
        let truth = encoder.truth(e, &mut Scope::new())?;
        if meets(&self.reached, &encoder.undefined(&truth)?)? {
            return Err(NoAnswer::Refused(format!("`{e}` is undefined")));
        }
        Ok(truth.0)
    }

    fn encoder<'b>(&'b self, given: &'b Valuation) -> Encoder<'b> {
        Encoder { space: &self.space, fts: self.fts, given, terms: &self.built.layout.terms }
    }
}

fn fair_run(product: &Product<'_>) -> Result<Option<Path<Vec<bool>>>, NoAnswer> {
    let fair = feasible(product, &product.reachable()?)?;
    if fair.satisfiable() { lasso(product, &fair).map(Some) } else { Ok(None) }
}

/// A word that satisfies a formula over `propositions` propositions, if there is one: a run of the
/// machine that may do anything.
pub fn satisfying(
    formula: &Formula<usize>,
    propositions: usize,
    options: &Options,
    ask: &Ask<'_>,
) -> Result<Option<Lasso<Vec<bool>>>, NoAnswer> {
    let space = Space::new(options.nodes, ask);
    let bits = space.bits(propositions);
    let mut atoms = Vec::new();
    for bit in &bits {
        atoms.push(space.var(bit.now)?);
    }
    let sets =
        formula.clone().map(&mut |at: usize| atoms.get(at).cloned().unwrap_or_else(|| space.constant(false)));
    let anything = Part::new(&space, space.constant(true), bits.clone())?;
    let initial = space.constant(true);
    let machine = Machine { bits: bits.clone(), initial, parts: vec![anything], fair: Vec::new() };
    let product = Product::new(&space, &machine, Tester::new(&space, &sets)?)?;
    let Some(run) = fair_run(&product)? else { return Ok(None) };
    let letter = |state: &Vec<bool>| bits.iter().map(|bit| state[bit.now as usize]).collect();
    let (stem, cycle) = run.states.split_at(run.loop_start.unwrap_or(0));
    Ok(Some(Lasso { stem: stem.iter().map(letter).collect(), cycle: cycle.iter().map(letter).collect() }))
}
