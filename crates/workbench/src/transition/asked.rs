//! What is asked of a transition system: inputs, properties, invariants, and the values that
//! formulas speak of.

use crate::answer::Kind;
use crate::failure::Failure;
use crate::model::Claim;
use crate::prove::{Source, read_formulas};
use crate::question::{Define, Question, Selection};
use logic::fol::{Op, Sort, Symbol, Term, Value, domain, evaluate};
use logic::ltl::{Formula, Unary};
use num_bigint::BigInt;
use prover::shape::assertion;
use system::fts::step::{self, Valuation};
use system::fts::{Domain, Fts, Property};

pub(super) struct Wanted {
    pub(super) runtime: bool,
    pub(super) properties: Vec<Property>,
}

impl Wanted {
    /// What an answer has a verdict of.
    pub(super) fn claims(&self) -> Vec<Claim> {
        let runtime = Claim { name: "runtime".to_string(), kind: Kind::Runtime };
        let of = |p: &Property| Claim { name: p.name.clone(), kind: Kind::Ltl };
        let runtime = self.runtime.then_some(runtime);
        runtime.into_iter().chain(self.properties.iter().map(of)).collect()
    }
}

pub(super) fn wanted(source: &Source, request: &Question) -> Result<Wanted, Failure> {
    if !source.asked.is_empty() {
        return Ok(Wanted { runtime: false, properties: source.asked.clone() });
    }
    let all = request.selected.is_empty();
    let mut wanted = Wanted { runtime: all && !source.fts.type_checks.is_empty(), properties: Vec::new() };
    let mut names = Vec::new();
    for selection in &request.selected {
        match selection {
            Selection::Named(name) => names.push(name.clone()),
            word => {
                wanted.runtime = true;
                let namesakes = source.fts.properties.iter().filter(|p| p.name == word.word());
                names.extend(namesakes.map(|p| p.name.clone()));
            }
        }
    }
    if all || !names.is_empty() {
        wanted.properties = source.properties(&names)?;
    }
    if !wanted.runtime && wanted.properties.is_empty() {
        wanted.runtime = true;
    }
    Ok(wanted)
}

/// Values of rigid symbols and inputs, from `-D NAME=VALUE`; those of an array are in the order of
/// its indices, `-D a=3,1,2`. The bounds of arrays may depend on the other values.
pub(crate) fn given(source: &Source, defines: &[Define]) -> Result<Valuation, Failure> {
    let mut given = Valuation::new();
    let sort = |define: &Define| {
        let known = source.fts.variable(&define.name).map(|v| &v.symbol.sort);
        let rigid = source.fts.rigid.iter().find(|r| *r.name == *define.name && r.arguments.is_empty());
        known.or(rigid.map(|r| &r.result))
    };
    let is_array = |define: &&Define| matches!(sort(define), Some(Sort::Array(..)));
    let (arrays, plain): (Vec<&Define>, Vec<&Define>) = defines.iter().partition(is_array);
    for define in plain.into_iter().chain(arrays) {
        let text = define.value.as_deref().unwrap_or("");
        let value = match sort(define) {
            Some(sort @ Sort::Array(..)) => array(source, define, sort, &given)?,
            sort => sort.and_then(|sort| one(sort, text)).ok_or_else(|| no_value(define))?,
        };
        given.insert(define.name.as_str().into(), value);
    }
    Ok(given)
}

fn no_value(define: &Define) -> Failure {
    Failure::Request(format!(
        "-D {}: the program has no such input or constant, or it cannot have this value",
        define.text()
    ))
}

fn one(sort: &Sort, text: &str) -> Option<Value> {
    match sort {
        Sort::Int => text.trim().parse().ok().map(Value::Int),
        Sort::Bool => text.trim().parse().ok().map(Value::Bool),
        _ => None,
    }
}

/// The elements of an array, one for each index.
fn array(source: &Source, define: &Define, sort: &Sort, given: &Valuation) -> Result<Value, Failure> {
    let wrong = |why: String| Failure::Request(format!("-D {}: {why}", define.text()));
    let domain = source.fts.variable(&define.name).and_then(|v| v.range.as_ref());
    let (Sort::Array(_, element), Some(Domain::Array { low, high, .. })) = (sort, domain) else {
        return Err(no_value(define));
    };
    let number = |e: &Term| evaluate(e, given)?.as_int().cloned();
    let (Some(low), Some(high)) = (number(low), number(high)) else {
        let why = format!("the bounds [{low}..{high}] are not known; give the values that they depend on");
        return Err(wrong(why));
    };
    let texts = define.value.as_deref().unwrap_or("").split(',');
    let elements: Option<Vec<Value>> = texts.map(|text| one(element, text)).collect();
    let elements = elements.ok_or_else(|| no_value(define))?;
    if BigInt::from(elements.len()) != &high - &low + 1 {
        return Err(wrong(format!("{} values for the indices [{low}..{high}]", elements.len())));
    }
    let stored = elements
        .into_iter()
        .enumerate()
        .try_fold(Value::default_of(sort), |array, (n, value)| array.store(&Value::Int(&low + n), value));
    stored.ok_or_else(|| no_value(define))
}

/// Whether real numbers are divided somewhere: the symbolic engine's states hold whole numbers,
/// which sums and products do not leave.
pub(super) fn divides_reals(fts: &Fts, properties: &[Property]) -> bool {
    let branches = fts.transitions.iter().flat_map(|t| &t.branches);
    let parts =
        branches.flat_map(|b| [&b.guard, &b.choice].into_iter().chain(b.updates.iter().map(|(_, e)| e)));
    let checks = fts.type_checks.iter().map(|c| &c.condition);
    let mut found = parts.chain(checks).chain([&fts.initial]).any(has_fraction);
    for property in properties {
        drop(property.formula.clone().map(&mut |e: Term| found |= has_fraction(&e)));
    }
    found
}

fn has_fraction(e: &Term) -> bool {
    let in_bounds = match e.op() {
        Op::Divide => return true,
        Op::Quantified(_, binders) => {
            let mut bounds = binders.iter().filter_map(|b| b.range.as_ref());
            bounds.any(|(low, high)| has_fraction(low) || has_fraction(high))
        }
        _ => false,
    };
    in_bounds || e.arguments().iter().any(has_fraction)
}

/// Invariants that constrain the search: properties `[] p` of the file by their names, or
/// assertions.
pub(super) fn invariants(source: &Source, asked: &[String]) -> Result<Vec<Term>, Failure> {
    let mut found = Vec::new();
    for text in asked {
        let property = match source.fts.properties.iter().find(|p| p.name == *text) {
            Some(property) => property.clone(),
            None => {
                let roots: Vec<_> = source.roots.clone();
                let mut read = read_formulas(&mut source.map.clone(), &roots, std::slice::from_ref(text))?;
                read.remove(0)
            }
        };
        let assertion = match &property.formula {
            Formula::Unary(Unary::Always, inner) => assertion(inner),
            formula => assertion(formula),
        };
        let assertion = assertion.filter(|_| property.rigid.is_empty());
        found.push(assertion.ok_or_else(|| {
            Failure::Request(format!(
                "--invariant {text}: no assertion about states, with or without [] before it"
            ))
        })?);
    }
    Ok(found)
}

/// The values of rigid symbols of a property within their bounds, each with what is given.
pub(super) fn rigid_values(
    source: &Source,
    given: &Valuation,
    property: &Property,
) -> Option<Vec<Valuation>> {
    let mut all = vec![given.clone()];
    for symbol in &property.rigid {
        let mut next = Vec::new();
        for known in all {
            let range = match symbol.sort {
                Sort::Int => Some(bounds(source, &known, symbol, &property.given)?),
                _ => None,
            };
            next.extend(domain(&symbol.sort, range)?.into_iter().map(|value| {
                let mut known = known.clone();
                known.insert(symbol.name.clone(), value);
                known
            }));
        }
        all = next;
    }
    Some(all)
}

/// `low <= s /\ s <= high` among what is given.
fn bounds(source: &Source, known: &Valuation, symbol: &Symbol, given: &Term) -> Option<(BigInt, BigInt)> {
    let within = step::In { fts: &source.fts, given: known, state: &[], extra: Vec::new() };
    let number = |e: &Term| evaluate(e, &within)?.as_int().cloned();
    let (mut low, mut high) = (None, None);
    for conjunct in given.conjuncts() {
        if let (Op::LessEqual, [a, b]) = (conjunct.op(), conjunct.arguments()) {
            if *b == symbol.term() {
                low = number(a);
            } else if *a == symbol.term() {
                high = number(b);
            }
        }
    }
    low.zip(high)
}
