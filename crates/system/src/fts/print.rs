//! Formulas and sorts as the user writes them, in STeP's ASCII.

use super::{Binder, Expr, Op, Quantifier, Sort};
use std::fmt::{self, Display, Formatter};

/// How strongly an operator binds; what binds more weakly than its surroundings gets parentheses.
fn strength(e: &Expr) -> u8 {
    match e {
        Expr::Quantified(..) => 0,
        Expr::Apply(op, parts) => match op {
            Op::Iff => 1,
            Op::Implies => 2,
            Op::Or => 3,
            Op::And => 4,
            Op::Not if matches!(parts.first(), Some(Expr::Apply(Op::Equal, _))) => 6,
            Op::Not => 5,
            Op::Equal | Op::Less | Op::LessEqual => 6,
            Op::Add | Op::Subtract => 7,
            Op::Multiply | Op::Divide | Op::Modulo | Op::Over => 8,
            Op::Negate => 9,
            Op::Ite => 0,
            _ => 10,
        },
        _ => 10,
    }
}

fn infix(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::And => "/\\",
        Op::Or => "\\/",
        Op::Implies => "-->",
        Op::Iff => "<-->",
        Op::Equal => "=",
        Op::Less => "<",
        Op::LessEqual => "<=",
        Op::Add => "+",
        Op::Subtract => "-",
        Op::Multiply => "*",
        Op::Divide => "div",
        Op::Modulo => "mod",
        Op::Over => "/",
        _ => return None,
    })
}

/// Writes `e`, in parentheses unless it binds at least as strongly as `least`.
fn write(e: &Expr, least: u8, f: &mut Formatter<'_>) -> fmt::Result {
    if strength(e) < least {
        f.write_str("(")?;
        write(e, 0, f)?;
        return f.write_str(")");
    }
    match e {
        Expr::Bool(b) => write!(f, "{b}"),
        Expr::Int(n) => write!(f, "{n}"),
        Expr::Constant(Sort::Enumeration(_, values), at) => {
            f.write_str(values.get(*at).map_or("?", |name| name))
        }
        Expr::Constant(Sort::Data(data), at) => {
            f.write_str(data.constructors.get(*at).map_or("?", |c| &c.name))
        }
        Expr::Constant(_, at) => write!(f, "{at}"),
        Expr::Empty(_) => f.write_str("empty"),
        Expr::Symbol(symbol) => f.write_str(&symbol.name),
        Expr::Call(symbol, parts) => {
            f.write_str(&symbol.name)?;
            arguments(parts, f)
        }
        Expr::Quantified(quantifier, binders, body) => {
            f.write_str(if *quantifier == Quantifier::Forall { "Forall " } else { "Exists " })?;
            bound(binders, f)?;
            f.write_str(". ")?;
            write(body, 0, f)
        }
        Expr::Apply(op, parts) => apply(*op, parts, strength(e), f),
    }
}

fn apply(op: Op, parts: &[Expr], own: u8, f: &mut Formatter<'_>) -> fmt::Result {
    if let Some(sign) = infix(op) {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                write!(f, " {sign} ")?;
            }
            let associative = matches!(op, Op::And | Op::Or | Op::Add | Op::Multiply);
            let least = if associative || (at == 0 && own > 6) { own } else { own + 1 };
            write(part, least, f)?;
        }
        return Ok(());
    }
    match (&op, parts) {
        (Op::Not, [Expr::Apply(Op::Equal, sides)]) if sides.len() == 2 => {
            write(&sides[0], 7, f)?;
            f.write_str(" != ")?;
            write(&sides[1], 7, f)
        }
        (Op::Not, [part]) => {
            f.write_str("~")?;
            write(part, 7, f)
        }
        (Op::Negate, [part]) => {
            f.write_str("-")?;
            write(part, 10, f)
        }
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
        (Op::Store, _) => {
            f.write_str("update")?;
            arguments(parts, f)
        }
        (Op::Nth, [sequence, place]) => {
            write(sequence, 10, f)?;
            write!(f, "[{place}]")
        }
        (Op::Construct, [constructor, fields @ ..]) => {
            write(constructor, 10, f)?;
            arguments(fields, f)
        }
        (Op::Is(n), [part]) => {
            let sort = part.sort();
            let constructor = sort.datatype().and_then(|d| d.constructors.get(*n));
            write!(f, "is_{}", constructor.map_or("?", |c| &c.name))?;
            arguments(parts, f)
        }
        (Op::Field(n, at), [part]) => {
            let sort = part.sort();
            let fields = sort.datatype().and_then(|d| d.constructors.get(*n)).map(|c| &c.fields);
            f.write_str(fields.and_then(|fields| fields.get(*at)).map_or("?", |(name, _)| name))?;
            arguments(parts, f)
        }
        (Op::Prepend, [list, item]) => {
            f.write_str("cons(")?;
            write(item, 0, f)?;
            f.write_str(", ")?;
            write(list, 0, f)?;
            f.write_str(")")
        }
        (Op::Append, _) => {
            f.write_str("append")?;
            arguments(parts, f)
        }
        (Op::First, _) => {
            f.write_str("head")?;
            arguments(parts, f)
        }
        (Op::Rest, _) => {
            f.write_str("tail")?;
            arguments(parts, f)
        }
        (Op::Length, _) => {
            f.write_str("length")?;
            arguments(parts, f)
        }
        _ => arguments(parts, f),
    }
}

fn arguments(parts: &[Expr], f: &mut Formatter<'_>) -> fmt::Result {
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
        match (binder.range.as_deref(), &binder.symbol.sort) {
            (Some((low, high)), _) => write!(f, ":[{low}..{high}]")?,
            (None, Sort::Int) => {}
            (None, sort) => write!(f, ":{sort}")?,
        }
    }
    Ok(())
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(self, 0, f)
    }
}

impl Display for Sort {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Int => f.write_str("int"),
            Sort::Real => f.write_str("real"),
            Sort::Enumeration(name, _) | Sort::Opaque(name) => f.write_str(name),
            Sort::Data(data) => f.write_str(&data.name),
            Sort::Itself => f.write_str("itself"),
            Sort::Array(element) => write!(f, "array of {element}"),
            Sort::Sequence(element) => write!(f, "sequence of {element}"),
        }
    }
}
