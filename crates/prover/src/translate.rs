//! Formulas of systems as formulas of the solver, and values back.
//!
//! Bounded quantifiers become guarded ones; enumerations become datatypes without fields. A term that has no sort (a type error
//! that slipped through) is reported as such, never guessed at.

use solve::{Op as SolverOp, Sort as SolverSort, Symbol as SolverSymbol, Term};
use std::sync::Arc;
use system::fts::{Expr, Op, Quantifier, Sort, Symbol};

/// Why a formula cannot be given to a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untranslatable(pub String);

pub fn sort(sort: &Sort) -> SolverSort {
    match sort {
        Sort::Bool => SolverSort::Bool,
        Sort::Int => SolverSort::Int,
        Sort::Real => SolverSort::Real,
        Sort::Enumeration(name, values) => {
            let values: Vec<&str> = values.iter().map(|v| &**v).collect();
            SolverSort::enumeration(name, &values)
        }
        Sort::Array(element) => SolverSort::Array(Arc::new(SolverSort::Int), Arc::new(self::sort(element))),
        Sort::Sequence(element) => SolverSort::Sequence(Arc::new(self::sort(element))),
        Sort::Data(data) => {
            let field = |(name, of): &(Arc<str>, Sort)| (name.to_string(), self::sort(of));
            let constructors = data.constructors.iter().map(|c| solve::Constructor {
                name: c.name.to_string(),
                fields: c.fields.iter().map(field).collect(),
            });
            SolverSort::data(&data.name, constructors.collect())
        }
        Sort::Itself => SolverSort::Itself,
        Sort::Opaque(name) => SolverSort::Opaque(name.clone()),
    }
}

pub fn symbol(symbol: &Symbol) -> SolverSymbol {
    SolverSymbol::constant(&*symbol.name, sort(&symbol.sort))
}

pub fn term(e: &Expr) -> Result<Term, Untranslatable> {
    Ok(match e {
        Expr::Bool(b) => Term::truth(*b),
        Expr::Int(n) => Term::int(n.clone()),
        Expr::Constant(of, at) => build(SolverOp::Construct(sort(of), *at), Vec::new(), e)?,
        Expr::Apply(Op::Construct, parts) => {
            let fields = parts.get(1..).unwrap_or_default();
            construct(fields.iter().map(term).collect::<Result<_, _>>()?, e)?
        }
        Expr::Empty(element) => build(SolverOp::Empty(sort(element)), Vec::new(), e)?,
        Expr::Symbol(s) => symbol(s).term(),
        Expr::Call(function, parts) => {
            let arguments: Vec<Term> = parts.iter().map(term).collect::<Result<_, _>>()?;
            let sorts = arguments.iter().map(|a| a.sort().clone()).collect();
            let function = SolverSymbol::function(&*function.name, sorts, sort(&function.sort));
            build(SolverOp::Apply(function), arguments, e)?
        }
        Expr::Quantified(quantifier, binders, body) => {
            let bounds = Expr::and(binders.iter().map(system::fts::Binder::bounds));
            let variables: Vec<SolverSymbol> = binders.iter().map(|b| symbol(&b.symbol)).collect();
            match quantifier {
                Quantifier::Forall => {
                    Term::forall(variables, &term(&Expr::implies(bounds, (**body).clone()))?)
                }
                Quantifier::Exists => Term::exists(variables, &term(&Expr::and([bounds, (**body).clone()]))?),
            }
        }
        Expr::Apply(op, parts) => {
            let arguments: Vec<Term> = parts.iter().map(term).collect::<Result<_, _>>()?;
            apply(*op, arguments, e)?
        }
    })
}

fn build(op: SolverOp, arguments: Vec<Term>, e: &Expr) -> Result<Term, Untranslatable> {
    Term::new(op, arguments).map_err(|error| Untranslatable(format!("`{e}`: {error}")))
}

fn apply(op: Op, arguments: Vec<Term>, e: &Expr) -> Result<Term, Untranslatable> {
    let real = op == Op::Over || arguments.iter().any(|a| *a.sort() == SolverSort::Real);
    let arguments =
        if real && is_arithmetic(op) { widened(arguments, e)? } else { stored(op, arguments, e)? };
    let op = match op {
        Op::Not => SolverOp::Not,
        Op::And => SolverOp::And,
        Op::Or => SolverOp::Or,
        Op::Implies => SolverOp::Implies,
        Op::Iff | Op::Equal => SolverOp::Equal,
        Op::Ite => SolverOp::Ite,
        Op::Less => SolverOp::Less,
        Op::LessEqual => SolverOp::LessEqual,
        Op::Add => SolverOp::Add,
        Op::Subtract => SolverOp::Subtract,
        Op::Negate => SolverOp::Negate,
        Op::Multiply => SolverOp::Multiply,
        Op::Over => SolverOp::Divide,
        Op::Divide => SolverOp::Div,
        Op::Modulo => SolverOp::Mod,
        Op::Select => SolverOp::Select,
        Op::Store => SolverOp::Store,
        Op::Append => SolverOp::Append,
        Op::First => return build(SolverOp::Nth, arguments.into_iter().chain([Term::int(0)]).collect(), e),
        Op::Rest => SolverOp::Tail,
        Op::Length => SolverOp::Length,
        Op::Prepend => SolverOp::Prepend,
        Op::Nth => {
            let place = build(SolverOp::Subtract, vec![arguments[1].clone(), Term::int(1)], e)?;
            return build(SolverOp::Nth, vec![arguments[0].clone(), place], e);
        }
        Op::Construct => return construct(arguments, e),
        Op::Is(n) => SolverOp::Is(n),
        Op::Field(n, at) => SolverOp::Field(n, at),
    };
    build(op, arguments, e)
}

/// A constructor with its fields; an integer in the place of a real is one.
fn construct(mut arguments: Vec<Term>, e: &Expr) -> Result<Term, Untranslatable> {
    let Expr::Apply(_, parts) = e else { return Err(Untranslatable(e.to_string())) };
    let Some(Expr::Constant(of, n)) = parts.first() else { return Err(Untranslatable(e.to_string())) };
    let of = sort(of);
    for (at, argument) in arguments.iter_mut().enumerate() {
        if of.field(*n, at) == Some(SolverSort::Real) && *argument.sort() == SolverSort::Int {
            *argument = build(SolverOp::ToReal, vec![argument.clone()], e)?;
        }
    }
    build(SolverOp::Construct(of, *n), arguments, e)
}

fn is_arithmetic(op: Op) -> bool {
    use Op::*;
    matches!(op, Equal | Less | LessEqual | Add | Subtract | Multiply | Over | Ite)
}

/// An integer that is stored among reals becomes one.
fn stored(op: Op, mut arguments: Vec<Term>, e: &Expr) -> Result<Vec<Term>, Untranslatable> {
    let reals = match arguments.first().map(Term::sort) {
        Some(SolverSort::Array(_, element)) => **element == SolverSort::Real && op == Op::Store,
        Some(SolverSort::Sequence(element)) => {
            **element == SolverSort::Real && matches!(op, Op::Append | Op::Prepend)
        }
        _ => false,
    };
    if let Some(last) = arguments.last_mut().filter(|last| reals && *last.sort() == SolverSort::Int) {
        *last = build(SolverOp::ToReal, vec![last.clone()], e)?;
    }
    Ok(arguments)
}

/// Integers among reals become reals.
fn widened(arguments: Vec<Term>, e: &Expr) -> Result<Vec<Term>, Untranslatable> {
    let widen = |a: Term| match a.sort() {
        SolverSort::Int => build(SolverOp::ToReal, vec![a], e),
        _ => Ok(a),
    };
    arguments.into_iter().map(widen).collect()
}
