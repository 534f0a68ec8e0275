//! Model checking of fair transition systems, state by state: SPL programs and `.fts` files under `weave check`.
//!
//! States are made by `system::fts::step`, properties become automata, and `explore` looks for a fair run that breaks one: justice is a
//! mark that must recur (the transition is taken, or cannot be), compassion a pair of marks. Idling is always
//! possible, so a program that has ended is no deadlock. A search that does not end is cut off: *unknown*.

mod product;
mod reach;
pub(crate) mod story;

use crate::failure::Failure;
use crate::prove::Source;
use crate::request::{CheckRequest, Fairness, Selection};
use crate::result::{CheckResult, Errors, Kind, Numbers, Property, Verdict, Violation};
use crate::watch::{Interrupt, Progress, Watcher};
use certify::fts::{Context, FairRun, breaks, exists};
use explore::Stop;
use explore::emptiness::{Options, emptiness};
use logic::ltl::Formula;
use product::Product;
use reach::Reached;
use system::fts::evaluate::{domain, evaluate, holds};
use system::fts::step::{self, Given};
use system::fts::{Expr, Sort, Value};

/// Infinitely many states are looked at up to here, unless a limit is given.
const STATES: u64 = 100_000;

pub fn check(
    source: &Source,
    request: &CheckRequest,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<CheckResult, Failure> {
    let given = given(source, request)?;
    let mut watcher = Watcher::new(request.limits.time, interrupt, tell);
    let limit = request.limits.states.unwrap_or(STATES);
    let reached = reach::reach(&source.fts, &given, limit, &mut watcher);
    let mut properties = Vec::new();
    let mut violations = Vec::new();
    let wanted = wanted(source, request)?;
    if wanted.runtime {
        let (property, violation) = type_checks(source, &given, &reached)?;
        properties.push(property);
        violations.extend(violation);
    }
    for property in wanted.properties {
        if !violations.is_empty() && !request.keep_going {
            properties.push(unknown(&property.name, Kind::Ltl, "the search stopped at the first violation"));
            continue;
        }
        let (judged, violation) = judge(source, request, &given, &property, &reached, limit, &mut watcher)?;
        properties.push(judged);
        violations.extend(violation);
    }
    let seconds = watcher.seconds();
    Ok(result(source, properties, violations, &reached, seconds, interrupt.is_raised()))
}

struct Wanted {
    runtime: bool,
    properties: Vec<system::fts::Property>,
}

fn wanted(source: &Source, request: &CheckRequest) -> Result<Wanted, Failure> {
    if !source.asked.is_empty() {
        return Ok(Wanted { runtime: false, properties: source.asked.clone() });
    }
    let all = request.selected.is_empty();
    let mut wanted = Wanted { runtime: all && !source.fts.type_checks.is_empty(), properties: Vec::new() };
    let mut names = Vec::new();
    for selection in &request.selected {
        match selection {
            Selection::Named(name) => names.push(name.clone()),
            _ => wanted.runtime = true,
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

/// Values of rigid symbols and inputs, from `-D NAME=VALUE`.
fn given(source: &Source, request: &CheckRequest) -> Result<Given, Failure> {
    let mut given = Given::new();
    for define in &request.model.defines {
        let known = source.fts.variable(&define.name).map(|v| &v.symbol.sort);
        let rigid = source.fts.rigid.iter().find(|r| *r.name == *define.name && r.arguments.is_empty());
        let sort = known.or(rigid.map(|r| &r.result));
        let text = define.value.as_deref().unwrap_or("");
        let value = match sort {
            Some(Sort::Int) => text.parse().ok().map(Value::Int),
            Some(Sort::Bool) => text.parse().ok().map(Value::Bool),
            _ => None,
        };
        let value = value.ok_or_else(|| {
            Failure::Request(format!("-D {}: no value of an input or constant of the program", define.text()))
        })?;
        given.insert(define.name.as_str().into(), value);
    }
    Ok(given)
}

fn unknown(name: &str, kind: Kind, reason: &str) -> Property {
    Property {
        name: name.to_string(),
        kind,
        verdict: Verdict::Unknown,
        reason: Some(reason.to_string()),
        vacuous: None,
        product: None,
        reduction: None,
    }
}

/// Indices within bounds, divisors that are not zero: in every reachable state.
fn type_checks(
    source: &Source,
    given: &Given,
    reached: &Reached,
) -> Result<(Property, Option<Violation>), Failure> {
    let fts = &source.fts;
    for check in &fts.type_checks {
        let bounds = check.parameters.iter().map(|p| system::fts::Binder {
            symbol: p.symbol.clone(),
            range: Some(Box::new((p.low.clone(), p.high.clone()))),
        });
        let condition = Expr::forall(bounds.collect(), check.condition.clone());
        for (at, state) in reached.states.iter().enumerate() {
            let within = step::In { fts, given, state, extra: Vec::new() };
            if holds(&condition, &within) != Some(false) {
                continue;
            }
            let states = reached.way_to(at);
            let context = Context { fts, given, justice_only: false };
            exists(context, &states).map_err(refused)?;
            let message = format!("it is not true that {}", check.what);
            let violation = story::violation(
                source,
                given,
                Kind::Runtime,
                "runtime",
                &message,
                &states,
                None,
                check.span,
            );
            let property = Property { verdict: Verdict::Violated, ..unknown("runtime", Kind::Runtime, "") };
            return Ok((Property { reason: None, ..property }, Some(violation)));
        }
    }
    let property = match reached.why_incomplete() {
        Some(reason) => unknown("runtime", Kind::Runtime, &reason),
        None => Property { verdict: Verdict::Holds, reason: None, ..unknown("runtime", Kind::Runtime, "") },
    };
    Ok((property, None))
}

fn refused(why: String) -> Failure {
    Failure::Internal(format!("a counterexample was refused: {why}"))
}

/// Looks for a fair run that breaks a property, for all values of what it speaks of universally.
fn judge(
    source: &Source,
    request: &CheckRequest,
    given: &Given,
    property: &system::fts::Property,
    reached: &Reached,
    limit: u64,
    watcher: &mut Watcher<'_>,
) -> Result<(Property, Option<Violation>), Failure> {
    let open = |reason: &str| Ok((unknown(&property.name, Kind::Ltl, reason), None));
    if let Some(error) = &reached.error {
        return open(error);
    }
    let Some(values) = rigid_values(source, given, property) else {
        return open("the values that the formula speaks of cannot be listed");
    };
    let justice_only = request.fairness == Fairness::Weak;
    let (mut states, mut transitions) = (0, 0);
    let mut stopped = None;
    for given in values {
        let negated = Formula::negation(property.formula.clone());
        let Some(mut product) = Product::new(&source.fts, &given, negated, justice_only) else {
            return open("the automaton of the formula is too large");
        };
        let limits = explore::Limits { states: Some(limit.saturating_mul(8)), ..explore::Limits::default() };
        let outcome = emptiness(&mut product, &Options { limits, ..Options::default() }, watcher);
        states += outcome.states;
        transitions += outcome.transitions;
        if let Some(error) = product.error.take() {
            return open(&error);
        }
        if let Some(lasso) = &outcome.lasso {
            let (stem, cycle) = product.states_of(lasso);
            let loop_start = stem.len();
            let run = FairRun { states: stem.into_iter().chain(cycle).collect(), loop_start };
            let context = Context { fts: &source.fts, given: &given, justice_only };
            breaks(context, &property.formula, &run).map_err(refused)?;
            let message = format!("{} fails", property.text);
            let violation = story::violation(
                source,
                &given,
                Kind::Ltl,
                &property.name,
                &message,
                &run.states,
                Some(loop_start),
                property.span,
            );
            let judged = Property {
                verdict: Verdict::Violated,
                reason: None,
                product: Some((states, transitions)),
                ..unknown(&property.name, Kind::Ltl, "")
            };
            return Ok((judged, Some(violation)));
        }
        stopped = stopped.or(outcome.stopped);
        if product.cut {
            stopped = stopped.or(Some(Stop::States));
        }
    }
    let judged = match stopped {
        None => Property {
            verdict: Verdict::Holds,
            reason: None,
            product: Some((states, transitions)),
            ..unknown(&property.name, Kind::Ltl, "")
        },
        Some(stop) => Property {
            product: Some((states, transitions)),
            ..unknown(&property.name, Kind::Ltl, reach::words(stop))
        },
    };
    Ok((judged, None))
}

/// The values of rigid symbols of a property within their bounds, each with what is given.
fn rigid_values(source: &Source, given: &Given, property: &system::fts::Property) -> Option<Vec<Given>> {
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
fn bounds(
    source: &Source,
    known: &Given,
    symbol: &system::fts::Symbol,
    given: &Expr,
) -> Option<(num_bigint::BigInt, num_bigint::BigInt)> {
    let within = step::In { fts: &source.fts, given: known, state: &[], extra: Vec::new() };
    let number = |e: &Expr| evaluate(e, &within)?.as_int().cloned();
    let (mut low, mut high) = (None, None);
    for conjunct in given.conjuncts() {
        if let Expr::Apply(system::fts::Op::LessEqual, parts) = &conjunct {
            if parts[1] == symbol.expr() {
                low = number(&parts[0]);
            } else if parts[0] == symbol.expr() {
                high = number(&parts[1]);
            }
        }
    }
    low.zip(high)
}

fn result(
    source: &Source,
    properties: Vec<Property>,
    violations: Vec<Violation>,
    reached: &Reached,
    seconds: f64,
    interrupted: bool,
) -> CheckResult {
    let verdict = crate::verdict::overall(&properties);
    let errors = violations.iter().filter(|v| v.kind == Kind::Runtime).count() as u64;
    CheckResult {
        cache: None,
        verdict,
        reason: match violations.first() {
            Some(violation) => format!("{}: {}", violation.property, violation.message),
            None => crate::verdict::reason(&properties, &crate::reduction::Plan::default()),
        },
        numbers: Numbers {
            states: reached.states.len() as u64,
            transitions: reached.edges + reached.initial as u64,
            matched: (reached.edges + reached.initial as u64).saturating_sub(reached.states.len() as u64),
            depth: reached.depth,
            memory_bytes: reached.memory(),
            seconds,
        },
        reduction: crate::result::ReductionUsed { name: "none".to_string(), ..Default::default() },
        errors: Errors { runtime: errors, ..Errors::default() },
        unreached: None,
        exhausted: reached.why_incomplete().is_none()
            && properties.iter().all(|p| p.verdict != Verdict::Unknown),
        interrupted,
        properties,
        violations,
        warnings: source.warnings.clone(),
        assumes: Vec::new(),
    }
}
