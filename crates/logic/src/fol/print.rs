//! Terms and sorts as users write them, in STeP's ASCII. What that has no sign for is written as a
//! function.

use super::sort::Sort;
use super::term::{Binder, Op, Quantifier, Term};
use num_traits::Zero;
use std::fmt::{self, Display, Formatter};

/// How strongly an operator binds; what binds more weakly than its surroundings gets parentheses.
fn strength(term: &Term) -> u8 {
    let arguments = term.arguments();
    match term.op() {
        Op::Quantified(..) | Op::Ite => 0,
        Op::Equal if is_iff(arguments) => 1,
        Op::Implies => 2,
        Op::Or => 3,
        Op::And => 4,
        Op::Not if unequal(arguments).is_some() => 6,
        Op::Not => 5,
        Op::Equal | Op::Less | Op::LessEqual => 6,
        Op::Add | Op::Subtract => 7,
        Op::Multiply | Op::Div | Op::Mod | Op::Divide => 8,
        Op::Negate => 9,
        // An integer among reals is written as it is.
        Op::ToReal => arguments.first().map_or(10, strength),
        _ => 10,
    }
}

/// Equality of truth values.
fn is_iff(sides: &[Term]) -> bool {
    sides.first().is_some_and(|side| *side.sort() == Sort::Bool)
}

/// The sides of an equality that is negated.
fn unequal(negated: &[Term]) -> Option<(&Term, &Term)> {
    let [inner] = negated else { return None };
    match (inner.op(), inner.arguments()) {
        (Op::Equal, sides @ [a, b]) if !is_iff(sides) => Some((a, b)),
        _ => None,
    }
}

fn infix(op: &Op, arguments: &[Term]) -> Option<&'static str> {
    Some(match op {
        Op::And => "/\\",
        Op::Or => "\\/",
        Op::Implies => "-->",
        Op::Equal if is_iff(arguments) => "<-->",
        Op::Equal => "=",
        Op::Less => "<",
        Op::LessEqual => "<=",
        Op::Add => "+",
        Op::Subtract => "-",
        Op::Multiply => "*",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Divide => "/",
        _ => return None,
    })
}

/// Writes a term, in parentheses unless it binds at least as strongly as `least`.
fn write(term: &Term, least: u8, f: &mut Formatter<'_>) -> fmt::Result {
    let own = strength(term);
    if own < least {
        f.write_str("(")?;
        write(term, 0, f)?;
        return f.write_str(")");
    }
    let arguments = term.arguments();
    if let Some(sign) = infix(term.op(), arguments) {
        let associative = matches!(term.op(), Op::And | Op::Or | Op::Add | Op::Multiply);
        for (at, part) in arguments.iter().enumerate() {
            if at > 0 {
                write!(f, " {sign} ")?;
            }
            write(part, if associative || (at == 0 && own > 6) { own } else { own + 1 }, f)?;
        }
        return Ok(());
    }
    match (term.op(), arguments) {
        (Op::Quantified(quantifier, binders), [body]) => {
            f.write_str(if *quantifier == Quantifier::Forall { "Forall " } else { "Exists " })?;
            bound(binders, f)?;
            f.write_str(". ")?;
            write(body, 0, f)
        }
        (Op::Not, [part]) => match unequal(arguments) {
            Some((a, b)) => {
                write(a, 7, f)?;
                f.write_str(" != ")?;
                write(b, 7, f)
            }
            None => {
                f.write_str("~")?;
                write(part, 7, f)
            }
        },
        (Op::Negate, [part]) => {
            f.write_str("-")?;
            write(part, 10, f)
        }
        (Op::ToReal, [part]) => write(part, least, f),
        (Op::Ite, [_, a, b]) if b.is_open() => write(a, least, f),
        (Op::Ite, [c, a, b]) => {
            f.write_str("if ")?;
            write(c, 1, f)?;
            f.write_str(" then ")?;
            write(a, 1, f)?;
            f.write_str(" else ")?;
            write(b, 1, f)
        }
        (Op::Select, [array, index]) => {
            write(array, 10, f)?;
            write!(f, "[{index}]")
        }
        (Op::Nth, [sequence, place]) => nth(sequence, place, f),
        (Op::Prepend, [list, item]) => {
            f.write_str("cons")?;
            listed(&[item.clone(), list.clone()], f)
        }
        (op, arguments) => {
            name(op, arguments, f)?;
            if arguments.is_empty() { Ok(()) } else { listed(arguments, f) }
        }
    }
}

/// Users count from 1.
fn nth(sequence: &Term, place: &Term, f: &mut Formatter<'_>) -> fmt::Result {
    let one = Term::int(1);
    match (place.op(), place.arguments()) {
        (Op::Int(n), _) if n.is_zero() => {
            f.write_str("head")?;
            listed(std::slice::from_ref(sequence), f)
        }
        (Op::Int(n), _) => {
            write(sequence, 10, f)?;
            write!(f, "[{}]", n + 1)
        }
        (Op::Subtract, [user, less]) if *less == one => {
            write(sequence, 10, f)?;
            write!(f, "[{user}]")
        }
        _ => {
            write(sequence, 10, f)?;
            write!(f, "[{}]", place.plus(&one))
        }
    }
}

/// What stands before the arguments.
fn name(op: &Op, arguments: &[Term], f: &mut Formatter<'_>) -> fmt::Result {
    let constructor = |n: usize| Some(arguments.first()?.sort().datatype()?.constructors.get(n)?.clone());
    match op {
        Op::True => f.write_str("true"),
        Op::False => f.write_str("false"),
        Op::Int(n) => write!(f, "{n}"),
        Op::Real(r) => write!(f, "{r}"),
        Op::Bits(bits, width) => write!(f, "0b{:0>1$}", bits.to_str_radix(2), *width as usize),
        Op::Apply(symbol) => f.write_str(&symbol.name),
        Op::Construct(sort, n) => {
            f.write_str(sort.datatype().and_then(|d| d.constructors.get(*n)).map_or("?", |c| &c.name))
        }
        Op::Is(n) => write!(f, "is_{}", constructor(*n).map_or("?".into(), |c| c.name)),
        Op::Field(n, at) => {
            let field = constructor(*n).and_then(|c| Some(c.fields.get(*at)?.0.clone()));
            f.write_str(&field.unwrap_or_else(|| "?".into()))
        }
        Op::Empty(_) => f.write_str("empty"),
        Op::Store => f.write_str("update"),
        Op::Append => f.write_str("append"),
        Op::Tail => f.write_str("tail"),
        Op::Length => f.write_str("length"),
        op => f.write_str(&format!("{op:?}").to_lowercase()),
    }
}

fn listed(parts: &[Term], f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("(")?;
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(", ")?;
        }
        write(part, 0, f)?;
    }
    f.write_str(")")
}

fn bound(binders: &[Binder], f: &mut Formatter<'_>) -> fmt::Result {
    for (at, binder) in binders.iter().enumerate() {
        if at > 0 {
            f.write_str(", ")?;
        }
        f.write_str(&binder.symbol.name)?;
        match (&binder.range, &binder.symbol.sort) {
            (Some((low, high)), _) => write!(f, ":[{low}..{high}]")?,
            (None, Sort::Int) => {}
            (None, sort) => write!(f, ":{sort}")?,
        }
    }
    Ok(())
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(self, 0, f)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Sort {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Int => f.write_str("int"),
            Sort::Real => f.write_str("real"),
            Sort::Bits(width) => write!(f, "bits {width}"),
            Sort::Opaque(name) => f.write_str(name),
            Sort::Data(data) => f.write_str(&data.name),
            Sort::Itself => f.write_str("itself"),
            Sort::Unsorted => f.write_str("unsorted"),
            Sort::Array(index, element) if **index == Sort::Int => write!(f, "array of {element}"),
            Sort::Array(index, element) => write!(f, "array [{index}] of {element}"),
            Sort::Sequence(element) => write!(f, "sequence of {element}"),
        }
    }
}
