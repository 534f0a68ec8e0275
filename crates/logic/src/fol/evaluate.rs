//! The value of a term when the values of its symbols are known: one definition for steps of
//! systems and for models of the solver, which are held against it before anything is said about
//! them. Nothing of the decision procedures is in it.
//!
//! Evaluation is partial. Where a symbol has no value, where the theory leaves a value open (x div
//! 0, the head of an empty sequence, a field of another constructor) and the interpretation does
//! not choose one, where a quantifier ranges over too many values, or where a number has more than
//! 16,384 bits, there is none. Truth is Kleene's: a conjunction with a false part is false whatever
//! the other parts are.

use super::bits;
use super::sort::Sort;
use super::term::{Binder, Op, Quantifier, Rational, Symbol, Term};
use super::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What symbols and functions stand for.
pub trait Interpretation {
    /// The value of a constant or variable; `None` if it has none.
    fn symbol(&self, symbol: &Symbol) -> Option<Value>;

    /// The value of a function at these arguments; `None` if it has none.
    fn call(&self, _function: &Symbol, _arguments: &[Value]) -> Option<Value> {
        None
    }

    /// A value that the theory leaves open: a model chooses one of this sort, a step of a system
    /// has none.
    fn open(&self, _op: &Op, _arguments: &[Value], _sort: &Sort) -> Option<Value> {
        None
    }

    /// How many elements an opaque sort has.
    fn universe(&self, _sort: &Sort) -> Option<usize> {
        None
    }

    /// No more values than this are tried for one bound variable.
    fn few(&self) -> usize {
        10_000
    }
}

/// Values by name.
impl Interpretation for BTreeMap<Arc<str>, Value> {
    fn symbol(&self, symbol: &Symbol) -> Option<Value> {
        self.get(&symbol.name).cloned()
    }
}

/// The value of a term, if it has one.
pub fn evaluate(term: &Term, with: &dyn Interpretation) -> Option<Value> {
    evaluate_under(term, with, Vec::new())
}

/// As [`evaluate`], with values for variables; the last of a name counts.
pub fn evaluate_under(term: &Term, with: &dyn Interpretation, bound: Vec<(Symbol, Value)>) -> Option<Value> {
    Evaluation { with, bound, done: HashMap::new() }.value(term)
}

/// Whether a formula is true; none if that is not known.
pub fn holds(formula: &Term, with: &dyn Interpretation) -> Option<bool> {
    evaluate(formula, with)?.as_bool()
}

/// All values of a sort, if there are few.
pub fn values_of(sort: &Sort, with: &dyn Interpretation) -> Option<Vec<Value>> {
    match sort {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Bits(width) if *width <= 8 => {
            Some((0..1u32 << width).map(|n| Value::Bits(n.into(), *width)).collect())
        }
        Sort::Opaque(_) => {
            let size = with.universe(sort).filter(|size| *size <= with.few())?;
            Some((0..size).map(|n| Value::Element(sort.clone(), n)).collect())
        }
        Sort::Data(data) => {
            let mut found = Vec::new();
            for (n, constructor) in data.constructors.iter().enumerate() {
                let fields = constructor.fields.iter().map(|(_, sort)| values_of(sort, with));
                found.extend(constructed(sort, n, &fields.collect::<Option<Vec<_>>>()?, with.few())?);
            }
            (found.len() <= with.few()).then_some(found)
        }
        _ => None,
    }
}

/// All values of a sort, integers between bounds, as far as they need no interpretation.
pub fn domain(sort: &Sort, range: Option<(BigInt, BigInt)>) -> Option<Vec<Value>> {
    let nothing: BTreeMap<Arc<str>, Value> = BTreeMap::new();
    match range {
        Some((low, high)) if *sort == Sort::Int => between(&low, &high, nothing.few()),
        _ => values_of(sort, &nothing),
    }
}

/// What a constructor makes of all combinations of fields; none if there are too many.
pub fn constructed(sort: &Sort, n: usize, fields: &[Vec<Value>], few: usize) -> Option<Vec<Value>> {
    let mut tuples = vec![Vec::new()];
    for choices in fields {
        if tuples.len() * choices.len() > few {
            return None;
        }
        let longer = |tuple: &Vec<Value>, v: &Value| [&tuple[..], std::slice::from_ref(v)].concat();
        tuples = tuples.iter().flat_map(|t| choices.iter().map(|v| longer(t, v))).collect();
    }
    Some(tuples.into_iter().map(|fields| Value::Data(sort.clone(), n, fields)).collect())
}

/// The integers from one to another; none if there are too many.
fn between(low: &BigInt, high: &BigInt, few: usize) -> Option<Vec<Value>> {
    if high - low > BigInt::from(few) {
        return None;
    }
    let numbers = std::iter::successors(Some(low.clone()), |n| Some(n + 1)).take_while(|n| n <= high);
    Some(numbers.map(Value::Int).collect())
}

struct Evaluation<'a> {
    with: &'a dyn Interpretation,
    bound: Vec<(Symbol, Value)>,
    /// Of shared terms, by address; the terms outlive the evaluation.
    done: HashMap<usize, Option<Value>>,
}

impl Evaluation<'_> {
    fn value(&mut self, term: &Term) -> Option<Value> {
        let kept = term.is_shared() && !term.arguments().is_empty();
        if kept && let Some(value) = self.done.get(&term.address()) {
            return value.clone();
        }
        let value = self.compute(term);
        if kept {
            self.done.insert(term.address(), value.clone());
        }
        value
    }

    fn truth(&mut self, term: &Term) -> Option<bool> {
        self.value(term)?.as_bool()
    }

    fn compute(&mut self, term: &Term) -> Option<Value> {
        if *term.sort() == Sort::Unsorted {
            return None;
        }
        let arguments = term.arguments();
        match (term.op(), arguments) {
            (Op::Quantified(quantifier, binders), [body]) => {
                self.quantified(*quantifier, binders, body).map(Value::Bool)
            }
            (Op::And, _) => self.junction(arguments, false).map(Value::Bool),
            (Op::Or, _) => self.junction(arguments, true).map(Value::Bool),
            (Op::Implies, [a, b]) => {
                let implied = match self.truth(a) {
                    Some(false) => Some(true),
                    Some(true) => self.truth(b),
                    None => self.truth(b).filter(|b| *b),
                };
                implied.map(Value::Bool)
            }
            (Op::Ite, [condition, then, otherwise]) => {
                if self.truth(condition)? {
                    self.value(then)
                } else {
                    self.value(otherwise)
                }
            }
            (Op::Apply(symbol), []) => match self.bound.iter().rev().find(|(s, _)| s.name == symbol.name) {
                Some((_, value)) => Some(value.clone()),
                None => self.with.symbol(symbol),
            },
            (op, _) => {
                let values = arguments.iter().map(|a| self.value(a)).collect::<Option<Vec<_>>>()?;
                match op {
                    Op::Apply(function) => self.with.call(function, &values),
                    op => apply(op, &values, term.sort(), self.with),
                }
            }
        }
    }

    fn junction(&mut self, parts: &[Term], decisive: bool) -> Option<bool> {
        junction(parts.iter().map(|part| self.truth(part)), decisive)
    }

    fn quantified(&mut self, quantifier: Quantifier, binders: &[Binder], body: &Term) -> Option<bool> {
        let Some((binder, rest)) = binders.split_first() else {
            let (with, bound) = (self.with, std::mem::take(&mut self.bound));
            let mut inner = Evaluation { with, bound, done: HashMap::new() };
            let truth = inner.truth(body);
            self.bound = inner.bound;
            return truth;
        };
        let truths = self.values(binder)?.into_iter().map(|value| {
            self.bound.push((binder.symbol.clone(), value));
            let truth = self.quantified(quantifier, rest, body);
            self.bound.pop();
            truth
        });
        junction(truths, quantifier == Quantifier::Exists)
    }

    /// The values a bound variable ranges over.
    fn values(&mut self, binder: &Binder) -> Option<Vec<Value>> {
        let Some((low, high)) = &binder.range else { return values_of(&binder.symbol.sort, self.with) };
        // Bounds speak of variables that change from one value to the next, so nothing is kept of
        // them.
        let end = |e: &Term| evaluate_under(e, self.with, self.bound.clone());
        let (low, high) = (end(low)?, end(high)?);
        between(low.as_int()?, high.as_int()?, self.with.few())
    }
}

/// One truth that is decisive decides; otherwise all must be known.
#[inline]
pub fn junction(truths: impl IntoIterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut unknown = false;
    for truth in truths {
        match truth {
            Some(b) if b == decisive => return Some(b),
            Some(_) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(!decisive)
}

/// An operator on values, with the sort of the result.
fn apply(op: &Op, values: &[Value], sort: &Sort, with: &dyn Interpretation) -> Option<Value> {
    Some(match (op, values) {
        (Op::True, _) => Value::Bool(true),
        (Op::False, _) => Value::Bool(false),
        (Op::Int(n), _) => Value::Int(n.clone()),
        (Op::Real(r), _) => Value::Real(r.clone()),
        (Op::Bits(bits, width), _) => Value::Bits(bits.clone(), *width),
        (Op::Not, [Value::Bool(b)]) => Value::Bool(!b),
        (Op::Equal, [a, b]) => Value::Bool(a == b),
        (Op::Distinct, _) => {
            Value::Bool(values.iter().enumerate().all(|(at, value)| !values[..at].contains(value)))
        }
        (Op::Select, [array, at]) => array.select(at)?,
        (Op::Store, [Value::Array(old), at, new]) => {
            let mut entries = old.entries.clone();
            entries.insert(at.clone(), new.clone());
            Value::array(old.sort.clone(), old.default.clone(), entries, with)
        }
        (Op::ConstArray(sort), [value]) => Value::array(sort.clone(), value.clone(), BTreeMap::new(), with),
        (Op::Construct(sort, n), _) => Value::Data(sort.clone(), *n, values.to_vec()),
        (Op::Is(n), [Value::Data(_, made, _)]) => Value::Bool(made == n),
        (Op::Field(n, at), [Value::Data(_, made, fields)]) if made == n => fields.get(*at)?.clone(),
        (Op::Field(..), _) => with.open(op, values, sort)?,
        (Op::Empty(_), _) => Value::Sequence(sort.clone(), Vec::new()),
        (_, [Value::Sequence(_, elements), ..]) => return on_sequences(op, elements, values, sort, with),
        (_, [Value::Bits(..), ..]) => bits::apply(op, values),
        _ => return on_numbers(op, values, sort, with),
    })
}

fn on_sequences(
    op: &Op,
    elements: &[Value],
    values: &[Value],
    sort: &Sort,
    with: &dyn Interpretation,
) -> Option<Value> {
    let make = |elements: Vec<Value>| Some(Value::Sequence(sort.clone(), elements));
    match (op, &values[1..]) {
        (Op::Append, new) => make([elements, new].concat()),
        (Op::Prepend, new) => make([new, elements].concat()),
        (Op::Tail, _) if !elements.is_empty() => make(elements[1..].to_vec()),
        (Op::Length, _) => Some(Value::int(elements.len())),
        (Op::Nth, [Value::Int(at)]) if at.to_usize().is_some_and(|at| at < elements.len()) => {
            elements.get(at.to_usize()?).cloned()
        }
        _ => with.open(op, values, sort),
    }
}

fn on_numbers(op: &Op, values: &[Value], sort: &Sort, with: &dyn Interpretation) -> Option<Value> {
    let ints: Option<Vec<&BigInt>> = values.iter().map(Value::as_int).collect();
    let value = match ints {
        Some(n) => match (op, &n[..]) {
            (Op::Add, n) => Value::Int(n.iter().copied().sum()),
            (Op::Multiply, n) => Value::Int(n.iter().copied().product()),
            (Op::Subtract, [a, b]) => Value::Int(*a - *b),
            (Op::Negate, [a]) => Value::Int(-*a),
            (Op::Div | Op::Mod, [_, b]) if b.is_zero() => return with.open(op, values, sort),
            // Euclidean: the remainder is never negative.
            (Op::Div, [a, b]) => Value::Int((*a - euclidean_remainder(a, b)) / *b),
            (Op::Mod, [a, b]) => Value::Int(euclidean_remainder(a, b)),
            (Op::Less, [a, b]) => Value::Bool(a < b),
            (Op::LessEqual, [a, b]) => Value::Bool(a <= b),
            (Op::ToReal, [a]) => Value::Real(Rational::from_integer((*a).clone())),
            _ => return None,
        },
        None => on_reals(op, values, sort, with)?,
    };
    moderate(value)
}

fn on_reals(op: &Op, values: &[Value], sort: &Sort, with: &dyn Interpretation) -> Option<Value> {
    let real = |v: &'_ Value| if let Value::Real(r) = v { Some(r.clone()) } else { None };
    let reals: Option<Vec<Rational>> = values.iter().map(real).collect();
    Some(match (op, &reals?[..]) {
        (Op::Add, r) => Value::Real(r.iter().fold(Rational::zero(), |sum, r| sum + r)),
        (Op::Multiply, r) => Value::Real(r.iter().fold(Rational::from_integer(1.into()), |all, r| all * r)),
        (Op::Subtract, [a, b]) => Value::Real(a - b),
        (Op::Negate, [a]) => Value::Real(-a),
        (Op::Divide, [_, b]) if b.is_zero() => return with.open(op, values, sort),
        (Op::Divide, [a, b]) => Value::Real(a / b),
        (Op::Less, [a, b]) => Value::Bool(a < b),
        (Op::LessEqual, [a, b]) => Value::Bool(a <= b),
        (Op::ToInt, [a]) => Value::Int(a.floor().to_integer()),
        _ => return None,
    })
}

/// Numbers with more bits than this have no value: a product in a loop would fill the memory.
pub const BITS: u64 = 1 << 14;

fn moderate(value: Value) -> Option<Value> {
    let bits = match &value {
        Value::Int(n) => n.bits(),
        Value::Real(r) => r.numer().bits().max(r.denom().bits()),
        _ => 0,
    };
    (bits <= BITS).then_some(value)
}

fn euclidean_remainder(a: &BigInt, b: &BigInt) -> BigInt {
    let modulus = BigInt::from(b.magnitude().clone());
    a.mod_floor(&modulus)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(op: Op, arguments: &[Term]) -> Option<Value> {
        evaluate(&Term::of(op, arguments.iter().cloned()), &BTreeMap::new())
    }

    #[test]
    fn division_has_a_remainder_that_is_not_negative() {
        for a in -20i64..20 {
            for b in -7i64..7 {
                let (quotient, remainder) = (
                    value(Op::Div, &[Term::int(a), Term::int(b)]),
                    value(Op::Mod, &[Term::int(a), Term::int(b)]),
                );
                if b == 0 {
                    assert_eq!((quotient, remainder), (None, None));
                    continue;
                }
                assert_eq!(quotient, Some(Value::int(a.div_euclid(b))), "{a} {b}");
                assert_eq!(remainder, Some(Value::int(a.rem_euclid(b))), "{a} {b}");
            }
        }
    }

    #[test]
    fn equal_arrays_look_equal() {
        let zero = Value::default_of(&Sort::array(Sort::Int, Sort::Int));
        let one = zero.store(&Value::int(3), Value::int(1)).unwrap();
        assert_ne!(one, zero);
        assert_eq!(one.store(&Value::int(3), Value::int(0)).unwrap(), zero);
        assert_eq!(one.select(&Value::int(3)), Some(Value::int(1)));
    }

    #[test]
    fn what_is_left_open_has_no_value_but_may_not_matter() {
        let open = Term::of(Op::Div, [Term::int(1), Term::int(0)]);
        let unknown = open.equals(&Term::int(0));
        let holds = |formula: &Term| holds(formula, &BTreeMap::new());
        assert_eq!(holds(&unknown), None);
        assert_eq!(holds(&Term::of(Op::And, [unknown.clone(), Term::truth(false)])), Some(false));
        assert_eq!(holds(&Term::of(Op::Implies, [unknown.clone(), Term::truth(true)])), Some(true));
        assert_eq!(holds(&Term::of(Op::Or, [unknown, Term::truth(false)])), None);
        let empty = Term::of(Op::Empty(Sort::Int), []);
        assert_eq!(evaluate(&empty.tail(), &BTreeMap::new()), None);
        assert_eq!(evaluate(&empty.append(&Term::int(4)).head(), &BTreeMap::new()), Some(Value::int(4)));
    }

    #[test]
    fn what_does_not_fit_has_no_value() {
        let wrong = Term::of(Op::And, [Term::of(Op::Not, [Term::int(1)]), Term::truth(false)]);
        assert_eq!(*wrong.sort(), Sort::Unsorted);
        assert_eq!(evaluate(&wrong, &BTreeMap::new()), None);
    }
}
