//! Which axioms may be used, and why.
//!
//! An axiom about values that never change, inputs among them, is assumed. So is one that says what
//! a function is in terms of its arguments, such as `[] max(y) >= y[1]`: every call has all
//! variables of the axiom that change as arguments. Both only if all that is assumed has a model
//! together ([`consistent`]): a reachable state that contradicts the axioms would prove everything.
//! Every other axiom about the state is a claim about the program: it is used only if it is proved
//! like a property. One that a step or the beginning may break, or that is not shown to fit the
//! others, is not used; the warning says why.

use crate::auto;
use crate::condition::{Condition, Lemma};
use crate::consistent::{self, called};
use crate::discharge::{Judge, Status};
use crate::session::Warning;
use crate::shape::{Shape, shape};
use crate::strengthen;
use logic::fol::{Binder, Op, Symbol, Term};
use std::collections::BTreeMap;
use system::fts::{Consistent, Evidence, Fts, Property};

/// What is known from the axioms.
#[derive(Clone, Debug, Default)]
pub struct Axioms {
    /// Without a proof: to be told with every verdict that uses it.
    pub assumed: Vec<Lemma>,
    /// Why those have a model together; none if they contradict each other.
    pub consistent: Option<Consistent>,
    /// Those about the state, each proved relative to those before it.
    pub proved: Vec<(Lemma, Evidence)>,
    /// Names of those that are not used.
    pub dropped: Vec<String>,
    /// What is to be reported about the axioms.
    pub warnings: Vec<Warning>,
}

/// How an axiom can be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// About rigid values or functions.
    Rigid(Term),
    /// About every state.
    State(Term),
    /// About the beginning, or about infinite runs.
    Other,
}

/// How an axiom can be understood, as far as its form tells.
pub fn reading(fts: &Fts, axiom: &Property) -> Reading {
    let flexible = |p: &Term| p.symbols().keys().any(|name| fts.is_flexible(name));
    match shape(&axiom.formula) {
        Some(Shape::Invariance(p)) => {
            let p = crate::session::generalized(axiom, p);
            if !flexible(&p) || is_definition(fts, &p) { Reading::Rigid(p) } else { Reading::State(p) }
        }
        // Without `[]` an axiom speaks of the beginning; about values that never change that is the
        // same.
        Some(Shape::Initial(p)) if !flexible(&p) => Reading::Rigid(crate::session::generalized(axiom, p)),
        _ => Reading::Other,
    }
}

/// Sorts the axioms of a system.
pub(crate) fn admitted(judge: &Judge<'_>) -> Axioms {
    let (mut axioms, claims) = assumed(judge);
    for Claimed { axiom, formula, unfit } in claims {
        let mut known = axioms.assumed.clone();
        known.extend(axioms.proved.iter().map(|(lemma, _)| lemma.clone()));
        let (name, unused) = (&axiom.name, "it is not used, and what rests on it is unknown");
        let (message, span) = match (proved(judge, &formula, &known), unfit) {
            (Ok(evidence), _) => {
                axioms.proved.push((Lemma::new(name, formula), evidence));
                continue;
            }
            (Err(_), Some(why)) => (format!("{why}: {unused}"), axiom.span),
            (Err(step), None) => {
                let (what, span) = step.unwrap_or(("a step".to_string(), axiom.span));
                (format!("{what} may violate axiom `{name}`: {unused}"), span)
            }
        };
        axioms.dropped.push(name.clone());
        axioms.warnings.push(Warning { vacuous: false, message, span });
    }
    axioms
}

/// An axiom that must be proved if it is to be used.
struct Claimed<'a> {
    axiom: &'a Property,
    formula: Term,
    /// Why it cannot be assumed, if its form allows that.
    unfit: Option<String>,
}

/// The axioms that are assumed, and those that must be proved. All that are assumed have a model
/// together; if those about rigid values alone contradict each other they are kept, so that this
/// can be reported.
pub fn assumable<'a>(judge: &Judge<'a>) -> (Vec<Lemma>, Option<Consistent>, Vec<(&'a Property, String)>) {
    let (axioms, claims) = assumed(judge);
    let unfit = claims.into_iter().filter_map(|c| Some((c.axiom, c.unfit?)));
    (axioms.assumed, axioms.consistent, unfit.collect())
}

fn assumed<'a>(judge: &Judge<'a>) -> (Axioms, Vec<Claimed<'a>>) {
    let mut axioms = Axioms::default();
    let (mut rigid, mut defining, mut claims) = (Vec::new(), Vec::new(), Vec::new());
    for axiom in &judge.fts.axioms {
        match reading(judge.fts, axiom) {
            Reading::Rigid(p) if !p.symbols().keys().any(|name| judge.fts.is_flexible(name)) => {
                rigid.push((axiom, p));
            }
            Reading::Rigid(p) if !is_refutable(judge, &p) => defining.push((axiom, p)),
            Reading::Rigid(formula) | Reading::State(formula) => {
                claims.push(Claimed { axiom, formula, unfit: None });
            }
            Reading::Other => {
                let message = format!(
                    "axiom `{}` is not used: it is not of the form `[] p` with an assertion p",
                    axiom.name
                );
                axioms.dropped.push(axiom.name.clone());
                axioms.warnings.push(Warning { vacuous: false, message, span: axiom.span });
            }
        }
    }
    let alone: Vec<Term> = rigid.iter().map(|(_, p)| p.clone()).collect();
    if consistent::together(judge, &alone) == consistent::Consistency::Refuted {
        let lemmas = rigid.into_iter().map(|(axiom, p)| Lemma::new(&axiom.name, p));
        axioms.assumed = lemmas.collect();
        return (axioms, claims);
    }
    rigid.append(&mut defining);
    fit(judge, rigid, &mut axioms, &mut claims);
    (axioms, claims)
}

/// Assumes as many axioms as have a model together, the first ones first.
fn fit<'a>(
    judge: &Judge<'_>,
    wanted: Vec<(&'a Property, Term)>,
    axioms: &mut Axioms,
    claims: &mut Vec<Claimed<'a>>,
) {
    use consistent::Consistency::{Refuted, Shown};
    let formulas = |some: &[Lemma]| some.iter().map(|l| l.formula.clone()).collect::<Vec<_>>();
    let all: Vec<Lemma> = wanted.iter().map(|(a, p)| Lemma::new(&a.name, p.clone())).collect();
    if let Shown(why) = consistent::together(judge, &formulas(&all)) {
        (axioms.assumed, axioms.consistent) = (all, Some(why));
        return;
    }
    axioms.consistent = Some(Consistent::Model);
    for (axiom, formula) in wanted {
        let mut more = axioms.assumed.clone();
        more.push(Lemma::new(&axiom.name, formula.clone()));
        let others: Vec<&str> = axioms.assumed.iter().map(|l| &l.name[..]).collect();
        let others = match others.is_empty() {
            true => "in every state".to_string(),
            false => format!("in every state, together with `{}`", others.join("`, `")),
        };
        let unfit = match consistent::together(judge, &formulas(&more)) {
            Shown(why) => {
                (axioms.assumed, axioms.consistent) = (more, Some(why));
                continue;
            }
            Refuted => format!("axiom `{}` cannot be true {others}", axiom.name),
            _ => format!("it is not known whether axiom `{}` can be true {others}", axiom.name),
        };
        claims.push(Claimed { axiom, formula, unfit: Some(unfit) });
    }
}

type Step = Option<(String, source::Span)>;

/// That an axiom about the state always holds; else the step that may break it.
fn proved(judge: &Judge<'_>, p: &Term, known: &[Lemma]) -> Result<Evidence, Step> {
    let first = strengthen::b_inv(judge, p, known);
    if let Some(evidence) = first.evidence {
        return Ok(evidence);
    }
    let (shape, given) = (Shape::Invariance(p.clone()), Term::truth(true));
    let goal = auto::Goal { shape: &shape, given: &given, rounds: 4 };
    let second = auto::prove(&judge.for_at_most(10_000), goal, known);
    if let Some(evidence) = second.evidence {
        return Ok(evidence);
    }
    let open = first.obligations.iter().find(|o| o.status != Status::Proved);
    let text = |o: &crate::discharge::Obligation| match o.countermodel.as_ref()?.transition.as_ref() {
        Some((_, text)) => Some((format!("`{text}`"), o.countermodel.as_ref()?.span)),
        None => None,
    };
    let begins = open.is_some_and(|o| o.name == "Theta");
    let last = second.run.as_ref().and_then(|run| run.last);
    let taken = last.and_then(|at| judge.fts.transitions.get(at));
    let beginning = || {
        let span = judge.fts.variables.first().map_or_else(source::Span::default, |v| v.span);
        ("the beginning".to_string(), span)
    };
    Err(match taken {
        _ if begins => Some(beginning()),
        Some(t) => Some((format!("`{}`", t.text), t.span)),
        None => open.and_then(text),
    })
}

/// Whether every call in an axiom has all its variables that change as arguments, and there is one.
fn is_definition(fts: &Fts, p: &Term) -> bool {
    let free = p.symbols();
    let state: Vec<&Symbol> = free.values().filter(|s| fts.changes(&s.name)).collect();
    let calls = called(p);
    let whole = |arguments: &[Term]| state.iter().all(|s| arguments.contains(&s.term()));
    !calls.is_empty() && calls.iter().all(|(_, arguments)| whole(arguments))
}

/// Whether some state leaves no value for the functions of an axiom that defines them: then it is a
/// claim about the state.
fn is_refutable(judge: &Judge<'_>, p: &Term) -> bool {
    let mut values = BTreeMap::new();
    let body = with_values(p, &mut values);
    let binders = values.into_values().map(Binder::free).collect();
    // What never changes is as it was at the beginning.
    let first = judge.fts.initial.conjuncts().into_iter();
    let lasting = first.filter(|e| e.symbols().keys().all(|name| !judge.fts.changes(name)));
    let some = Condition::implication("", Term::all(lasting), Term::some(binders, body), &[]);
    judge.answer(&some).is_invalid()
}

/// A formula with a new symbol for each call.
fn with_values(e: &Term, values: &mut BTreeMap<(Symbol, Vec<Term>), Symbol>) -> Term {
    match (e.op(), e.arguments()) {
        (Op::Apply(f), parts @ [_, ..]) => {
            let name = format!("{}!{}", f.name, values.len());
            let key = (f.clone(), parts.to_vec());
            values.entry(key).or_insert_with(|| Symbol::constant(name, f.sort.clone())).term()
        }
        (op, parts) => Term::of(op.clone(), parts.iter().map(|p| with_values(p, values))),
    }
}
