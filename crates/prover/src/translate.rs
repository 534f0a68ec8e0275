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
        Sort::Sequence(element) => SolverSort::Queue(Arc::new(self::sort(element))),
        Sort::Opaque(name) => SolverSort::Uninterpreted(name.clone()),
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
        Expr::Empty(element) => build(SolverOp::EmptyQueue(sort(element)), Vec::new(), e)?,
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
    let real = arguments.iter().any(|a| *a.sort() == SolverSort::Real);
    let arguments = if real && is_arithmetic(op) { widened(arguments, e)? } else { arguments };
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
        Op::Divide if real => SolverOp::Divide,
        Op::Divide => SolverOp::Div,
        Op::Modulo => SolverOp::Mod,
        Op::Select => SolverOp::Select,
        Op::Store => SolverOp::Store,
        Op::Append => SolverOp::Append,
        Op::First => return build(SolverOp::At, arguments.into_iter().chain([Term::int(0)]).collect(), e),
        Op::Rest => SolverOp::Tail,
        Op::Length => SolverOp::Length,
    };
    build(op, arguments, e)
}

fn is_arithmetic(op: Op) -> bool {
    use Op::*;
    matches!(op, Equal | Less | LessEqual | Add | Subtract | Multiply | Divide)
}

/// Integers among reals become reals.
fn widened(arguments: Vec<Term>, e: &Expr) -> Result<Vec<Term>, Untranslatable> {
    let widen = |a: Term| match a.sort() {
        SolverSort::Int => build(SolverOp::ToReal, vec![a], e),
        _ => Ok(a),
    };
    arguments.into_iter().map(widen).collect()
}
