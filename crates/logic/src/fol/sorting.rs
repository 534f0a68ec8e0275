//! Which sort a term has, if any.

use super::sort::Sort;
use super::term::{Binder, Op, Term};

/// The sort of an operator with these arguments; none if it cannot have them.
pub(crate) fn sort_of(op: &Op, arguments: &[Term]) -> Option<Sort> {
    let sorts: Vec<&Sort> = arguments.iter().map(Term::sort).collect();
    let all = |sort: &Sort| sorts.iter().all(|s| *s == sort);
    if sorts.contains(&&Sort::Unsorted) {
        return None;
    }
    let exactly = |wanted: &[&Sort], result: Sort| (sorts == wanted).then_some(result);
    match op {
        Op::True | Op::False => exactly(&[], Sort::Bool),
        Op::Int(_) => exactly(&[], Sort::Int),
        Op::Real(_) => exactly(&[], Sort::Real),
        Op::Bits(value, width) => {
            (*width > 0 && value.bits() <= u64::from(*width)).then(|| exactly(&[], Sort::Bits(*width)))?
        }
        Op::Apply(symbol) => exactly(&Vec::from_iter(&symbol.arguments), symbol.sort.clone()),
        Op::Not => exactly(&[&Sort::Bool], Sort::Bool),
        Op::And | Op::Or => all(&Sort::Bool).then_some(Sort::Bool),
        Op::Implies => exactly(&[&Sort::Bool, &Sort::Bool], Sort::Bool),
        Op::Equal => (sorts.len() == 2 && sorts[0] == sorts[1]).then_some(Sort::Bool),
        Op::Distinct => (sorts.len() >= 2 && all(sorts[0])).then_some(Sort::Bool),
        Op::Ite => match sorts[..] {
            [Sort::Bool, then, otherwise] if then == otherwise => Some(then.clone()),
            _ => None,
        },
        Op::Add | Op::Multiply => numbers(&sorts, 1..),
        Op::Subtract => numbers(&sorts, 2..=2),
        Op::Negate => numbers(&sorts, 1..=1),
        Op::Divide => exactly(&[&Sort::Real, &Sort::Real], Sort::Real),
        Op::Div | Op::Mod => exactly(&[&Sort::Int, &Sort::Int], Sort::Int),
        Op::Less | Op::LessEqual => numbers(&sorts, 2..=2).map(|_| Sort::Bool),
        Op::ToReal => exactly(&[&Sort::Int], Sort::Real),
        Op::ToInt => exactly(&[&Sort::Real], Sort::Int),
        Op::Quantified(_, binders) if binders.iter().all(has_bounds) => exactly(&[&Sort::Bool], Sort::Bool),
        Op::Select | Op::Store | Op::ConstArray(_) => array(op, &sorts),
        Op::Construct(..) | Op::Field(..) | Op::Is(_) => data(op, &sorts),
        Op::Empty(_) | Op::Append | Op::Prepend | Op::Tail | Op::Length | Op::Nth => sequence(op, &sorts),
        _ => bits(op, &sorts),
    }
}

/// Bounds are integers, of an integer.
fn has_bounds(binder: &Binder) -> bool {
    let is_int = |sort: &Sort| *sort == Sort::Int;
    let fit = |(low, high): &(Term, Term)| is_int(low.sort()) && is_int(high.sort());
    binder.range.as_ref().is_none_or(|range| fit(range) && is_int(&binder.symbol.sort))
}

fn numbers(sorts: &[&Sort], count: impl std::ops::RangeBounds<usize>) -> Option<Sort> {
    let first = *sorts.first()?;
    (count.contains(&sorts.len()) && first.is_number() && sorts.iter().all(|s| *s == first))
        .then(|| first.clone())
}

fn array(op: &Op, sorts: &[&Sort]) -> Option<Sort> {
    match (op, sorts) {
        (Op::Select, [Sort::Array(index, element), at]) if **index == **at => Some((**element).clone()),
        (Op::Store, [array @ Sort::Array(index, element), at, new])
            if **index == **at && **element == **new =>
        {
            Some((*array).clone())
        }
        (Op::ConstArray(sort @ Sort::Array(_, element)), [value]) if **element == **value => {
            Some(sort.clone())
        }
        _ => None,
    }
}

fn data(op: &Op, sorts: &[&Sort]) -> Option<Sort> {
    match (op, sorts) {
        (Op::Construct(sort, n), fields) => {
            let arity = sort.datatype()?.constructors.get(*n)?.fields.len();
            let fits = |(at, found): (usize, &&Sort)| sort.field(*n, at).as_ref() == Some(*found);
            (arity == fields.len() && fields.iter().enumerate().all(fits)).then(|| sort.clone())
        }
        (Op::Field(n, at), [sort]) => sort.field(*n, *at),
        (Op::Is(n), [sort]) => sort.datatype()?.constructors.get(*n).map(|_| Sort::Bool),
        _ => None,
    }
}

fn sequence(op: &Op, sorts: &[&Sort]) -> Option<Sort> {
    match (op, sorts) {
        (Op::Empty(element), []) => Some(Sort::sequence(element.clone())),
        (Op::Append | Op::Prepend, [sequence @ Sort::Sequence(element), new]) if **element == **new => {
            Some((*sequence).clone())
        }
        (Op::Nth, [Sort::Sequence(element), Sort::Int]) => Some((**element).clone()),
        (Op::Tail, [sequence @ Sort::Sequence(_)]) => Some((*sequence).clone()),
        (Op::Length, [Sort::Sequence(_)]) => Some(Sort::Int),
        _ => None,
    }
}

fn bits(op: &Op, sorts: &[&Sort]) -> Option<Sort> {
    match (op, sorts) {
        (Op::BitNot | Op::BitNegate, [Sort::Bits(width)]) => Some(Sort::Bits(*width)),
        (Op::Concat, [Sort::Bits(high), Sort::Bits(low)]) => Some(Sort::Bits(high + low)),
        (Op::Extract(high, low), [Sort::Bits(width)]) if low <= high && high < width => {
            Some(Sort::Bits(high - low + 1))
        }
        (Op::ZeroExtend(more) | Op::SignExtend(more), [Sort::Bits(width)]) => Some(Sort::Bits(width + more)),
        (
            Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual,
            [Sort::Bits(a), Sort::Bits(b)],
        ) if a == b => Some(Sort::Bool),
        (
            Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::BitAdd
            | Op::BitSubtract
            | Op::BitMultiply
            | Op::BitDivide
            | Op::BitRemainder
            | Op::ShiftLeft
            | Op::ShiftRight
            | Op::ArithmeticShiftRight,
            [Sort::Bits(a), Sort::Bits(b)],
        ) if a == b => Some(Sort::Bits(*a)),
        _ => None,
    }
}
