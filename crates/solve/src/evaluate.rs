//! What a term is worth in a model: the definition that countermodels are held against before anybody sees them.
//!
//! Written from SMT-LIB's semantics, with nothing of the decision procedures in it. Quantifiers are evaluated by trying
//! every value of their sorts, if these are finite and few.

use crate::model::{ArrayValue, Model, Value};
use crate::sort::Sort;
use crate::term::{Op, Rational, Symbol, Term};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::collections::{BTreeMap, HashMap};

/// Evaluation met a quantifier over a sort with too many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// A quantifier is evaluated over at most so many values of each variable.
const FEW: usize = 256;

pub fn evaluate(term: &Term, model: &Model) -> Result<Value, TooMany> {
    Evaluation { model, bound: HashMap::new(), done: HashMap::new() }.value(term)
}

/// As [`evaluate`], with values for variables.
pub fn evaluate_under(term: &Term, model: &Model, bound: HashMap<Symbol, Value>) -> Result<Value, TooMany> {
    Evaluation { model, bound, done: HashMap::new() }.value(term)
}

/// All values of a sort, if there are few.
pub fn values_of(sort: &Sort, model: &Model) -> Option<Vec<Value>> {
    match sort {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Bits(width) if *width <= 8 => {
            Some((0..1u32 << width).map(|n| Value::Bits(n.into(), *width)).collect())
        }
        Sort::Uninterpreted(_) => {
            let size = model.universes.get(sort).copied().unwrap_or(1);
            (size <= FEW).then(|| (0..size).map(|n| Value::Element(sort.clone(), n)).collect())
        }
        Sort::Data(data) => {
            let mut found = Vec::new();
            for (n, constructor) in data.constructors.iter().enumerate() {
                let mut tuples = vec![Vec::new()];
                for (_, field) in &constructor.fields {
                    let choices = if *field == Sort::Itself { None } else { values_of(field, model) }?;
                    tuples = product(&tuples, &choices)?;
                }
                found.extend(tuples.into_iter().map(|fields| Value::Data(sort.clone(), n, fields)));
            }
            (found.len() <= FEW).then_some(found)
        }
        _ => None,
    }
}

fn product(tuples: &[Vec<Value>], choices: &[Value]) -> Option<Vec<Vec<Value>>> {
    let longer = |tuple: &Vec<Value>, choice: &Value| [&tuple[..], std::slice::from_ref(choice)].concat();
    (tuples.len() * choices.len() <= FEW)
        .then(|| tuples.iter().flat_map(|t| choices.iter().map(|c| longer(t, c))).collect())
}

/// The array with these entries, in the one form that equal arrays have.
pub fn array(sort: Sort, default: Value, mut entries: BTreeMap<Value, Value>, model: &Model) -> Value {
    let mut default = default;
    if let Sort::Array(index, _) = &sort
        && let Some(places) = values_of(index, model)
        && let Some(first) = places.first()
    {
        // Every place can be visited: what the first holds is the default.
        let all = places.iter().map(|at| (at.clone(), entries.get(at).unwrap_or(&default).clone()));
        let all: BTreeMap<Value, Value> = all.collect();
        default = all[first].clone();
        entries = all;
    }
    entries.retain(|_, value| *value != default);
    Value::Array(Box::new(ArrayValue { sort, default, entries }))
}

struct Evaluation<'a> {
    model: &'a Model,
    bound: HashMap<Symbol, Value>,
    /// By address; the terms outlive the evaluation.
    done: HashMap<usize, Value>,
}

impl Evaluation<'_> {
    fn value(&mut self, term: &Term) -> Result<Value, TooMany> {
        if let Some(value) = self.done.get(&term.address()) {
            return Ok(value.clone());
        }
        let value = self.compute(term)?;
        self.done.insert(term.address(), value.clone());
        Ok(value)
    }

    fn compute(&mut self, term: &Term) -> Result<Value, TooMany> {
        let arguments = term.arguments();
        match term.op() {
            Op::Forall(variables) => return self.every(variables, &arguments[0], true),
            Op::Exists(variables) => return self.every(variables, &arguments[0], false),
            Op::And => return self.any(arguments, false),
            Op::Or => return self.any(arguments, true),
            Op::Implies => {
                let antecedent = self.value(&arguments[0])?;
                return if antecedent.is_true() { self.value(&arguments[1]) } else { Ok(Value::Bool(true)) };
            }
            Op::Ite => {
                let condition = self.value(&arguments[0])?;
                return self.value(&arguments[if condition.is_true() { 1 } else { 2 }]);
            }
            _ => {}
        }
        let values = arguments.iter().map(|a| self.value(a)).collect::<Result<Vec<_>, _>>()?;
        Ok(match term.op() {
            Op::Apply(symbol) if values.is_empty() => {
                self.bound.get(symbol).cloned().unwrap_or_else(|| self.model.constant(symbol))
            }
            Op::Apply(symbol) => self.model.apply(symbol, &values),
            op => apply(op, &values, term, self.model),
        })
    }

    /// Whether some argument is `wanted`; told in terms of or (true) and and (false).
    fn any(&mut self, arguments: &[Term], wanted: bool) -> Result<Value, TooMany> {
        for argument in arguments {
            if self.value(argument)? == Value::Bool(wanted) {
                return Ok(Value::Bool(wanted));
            }
        }
        Ok(Value::Bool(!wanted))
    }

    fn every(&mut self, variables: &[Symbol], body: &Term, universal: bool) -> Result<Value, TooMany> {
        let Some((first, rest)) = variables.split_first() else {
            let mut inner = Evaluation { model: self.model, bound: self.bound.clone(), done: HashMap::new() };
            return inner.value(body);
        };
        let values = values_of(first.result(), self.model).ok_or(TooMany)?;
        let outer = self.bound.get(first).cloned();
        let mut result = Ok(Value::Bool(universal));
        for value in values {
            self.bound.insert(first.clone(), value);
            match self.every(rest, body, universal) {
                Ok(found) if found == Value::Bool(universal) => {}
                other => {
                    result = other;
                    break;
                }
            }
        }
        match outer {
            Some(value) => self.bound.insert(first.clone(), value),
            None => self.bound.remove(first),
        };
        result
    }
}

/// An operator on values; `term` tells the sorts.
fn apply(op: &Op, values: &[Value], term: &Term, model: &Model) -> Value {
    match op {
        Op::True => Value::Bool(true),
        Op::False => Value::Bool(false),
        Op::Int(n) => Value::Int(n.clone()),
        Op::Real(r) => Value::Real(r.clone()),
        Op::Bits(bits, width) => Value::Bits(bits.clone(), *width),
        Op::Not => Value::Bool(!values[0].is_true()),
        Op::Equal => Value::Bool(values[0] == values[1]),
        Op::Distinct => {
            Value::Bool(values.iter().enumerate().all(|(at, value)| !values[..at].contains(value)))
        }
        Op::Select | Op::Store | Op::ConstArray(_) => on_arrays(op, values, term, model),
        Op::Construct(sort, n) => Value::Data(sort.clone(), *n, values.to_vec()),
        Op::Is(n) => Value::Bool(matches!(&values[0], Value::Data(_, made, _) if made == n)),
        Op::Field(n, at) => match &values[0] {
            Value::Data(_, made, fields) if made == n => fields[*at].clone(),
            _ => open(op, values, term, model),
        },
        Op::EmptyQueue(_) | Op::Append | Op::Prepend | Op::Tail | Op::Length | Op::At => {
            on_queues(op, values, term, model)
        }
        _ => match values {
            [Value::Bits(..), ..] => on_bits(op, values),
            _ => on_numbers(op, values, term, model),
        },
    }
}

/// What the model says about a value that the theory leaves open.
fn open(op: &Op, values: &[Value], term: &Term, model: &Model) -> Value {
    match model.open.get(&(op.clone(), values[0].sort())) {
        Some(table) => table.get(values).clone(),
        None => Value::default_of(term.sort()),
    }
}

fn on_arrays(op: &Op, values: &[Value], term: &Term, model: &Model) -> Value {
    match (op, values) {
        (Op::Select, [Value::Array(array), at]) => array.entries.get(at).unwrap_or(&array.default).clone(),
        (Op::Store, [Value::Array(old), at, new]) => {
            let mut entries = old.entries.clone();
            entries.insert(at.clone(), new.clone());
            array(old.sort.clone(), old.default.clone(), entries, model)
        }
        (Op::ConstArray(sort), [value]) => array(sort.clone(), value.clone(), BTreeMap::new(), model),
        _ => Value::default_of(term.sort()),
    }
}

fn on_queues(op: &Op, values: &[Value], term: &Term, model: &Model) -> Value {
    let elements = match values.first() {
        Some(Value::Queue(_, elements)) => &elements[..],
        _ => &[],
    };
    let make = |elements: Vec<Value>| Value::Queue(term.sort().clone(), elements);
    match op {
        Op::Append => make([elements, &values[1..]].concat()),
        Op::Prepend => make([&values[1..], elements].concat()),
        Op::Tail => make(elements.get(1..).unwrap_or(&[]).to_vec()),
        Op::Length => Value::int(elements.len()),
        Op::At => match &values[1] {
            Value::Int(at) if at.to_usize().is_some_and(|at| at < elements.len()) => {
                elements[at.to_usize().unwrap_or(0)].clone()
            }
            _ => open(op, values, term, model),
        },
        _ => make(Vec::new()),
    }
}

fn on_numbers(op: &Op, values: &[Value], term: &Term, model: &Model) -> Value {
    let ints: Option<Vec<&BigInt>> =
        values.iter().map(|v| if let Value::Int(n) = v { Some(n) } else { None }).collect();
    if let Some(n) = ints {
        return match op {
            Op::Add => Value::Int(n.into_iter().sum()),
            Op::Multiply => Value::Int(n.into_iter().product()),
            Op::Subtract => Value::Int(n[0] - n[1]),
            Op::Negate => Value::Int(-n[0]),
            Op::Div | Op::Mod if n[1].is_zero() => open(op, values, term, model),
            // Euclidean: the remainder is never negative.
            Op::Div => Value::Int((n[0] - euclidean_remainder(n[0], n[1])) / n[1]),
            Op::Mod => Value::Int(euclidean_remainder(n[0], n[1])),
            Op::Less => Value::Bool(n[0] < n[1]),
            Op::LessEqual => Value::Bool(n[0] <= n[1]),
            Op::ToReal => Value::Real(Rational::from_integer(n[0].clone())),
            _ => Value::default_of(term.sort()),
        };
    }
    let reals: Vec<&Rational> =
        values.iter().filter_map(|v| if let Value::Real(r) = v { Some(r) } else { None }).collect();
    match op {
        Op::Add => Value::Real(reals.into_iter().fold(Rational::zero(), |sum, r| sum + r)),
        Op::Multiply => {
            Value::Real(reals.into_iter().fold(Rational::from_integer(1.into()), |sum, r| sum * r))
        }
        Op::Subtract => Value::Real(reals[0] - reals[1]),
        Op::Negate => Value::Real(-reals[0]),
        Op::Divide if reals[1].is_zero() => open(op, values, term, model),
        Op::Divide => Value::Real(reals[0] / reals[1]),
        Op::Less => Value::Bool(reals[0] < reals[1]),
        Op::LessEqual => Value::Bool(reals[0] <= reals[1]),
        Op::ToInt => Value::Int(reals[0].floor().to_integer()),
        _ => Value::default_of(term.sort()),
    }
}

fn euclidean_remainder(a: &BigInt, b: &BigInt) -> BigInt {
    let modulus = BigInt::from(b.magnitude().clone());
    a.mod_floor(&modulus)
}

fn on_bits(op: &Op, values: &[Value]) -> Value {
    let operand = |at: usize| match values.get(at) {
        Some(Value::Bits(bits, width)) => (bits.clone(), *width),
        _ => (BigUint::zero(), 1),
    };
    let ((a, width), (b, other)) = (operand(0), operand(1));
    let modulus = BigUint::from(1u32) << width;
    let ones = &modulus - 1u32;
    let signed = |x: &BigUint| {
        let value = BigInt::from(x.clone());
        if x.bit(u64::from(width) - 1) { value - BigInt::from(modulus.clone()) } else { value }
    };
    let shift = if b < BigUint::from(width) { b.to_u32().unwrap_or(width) } else { width };
    let of = |bits: BigUint| Value::Bits(bits % &modulus, width);
    match op {
        Op::BitNot => of(&ones - &a),
        Op::BitNegate => of(&modulus - &a),
        Op::BitAnd => of(a & b),
        Op::BitOr => of(a | b),
        Op::BitXor => of(a ^ b),
        Op::BitAdd => of(a + b),
        Op::BitSubtract => of(a + &modulus - b),
        Op::BitMultiply => of(a * b),
        Op::BitDivide => of(if b.is_zero() { ones } else { a / b }),
        Op::BitRemainder => of(if b.is_zero() { a } else { a % b }),
        Op::ShiftLeft => of(a << shift),
        Op::ShiftRight => of(a >> shift),
        Op::ArithmeticShiftRight => {
            let shifted: BigInt = signed(&a) >> shift;
            let wrapped = shifted.mod_floor(&BigInt::from(modulus.clone()));
            of(wrapped.magnitude().clone())
        }
        Op::UnsignedLess => Value::Bool(a < b),
        Op::UnsignedLessEqual => Value::Bool(a <= b),
        Op::SignedLess => Value::Bool(signed(&a) < signed(&b)),
        Op::SignedLessEqual => Value::Bool(signed(&a) <= signed(&b)),
        Op::Concat => Value::Bits((a << other) | b, width + other),
        Op::Extract(high, low) => {
            let width = high - low + 1;
            Value::Bits((a >> *low) % (BigUint::from(1u32) << width), width)
        }
        Op::ZeroExtend(more) => Value::Bits(a, width + more),
        Op::SignExtend(more) => {
            let wide = BigInt::from(1) << (width + more);
            Value::Bits(signed(&a).mod_floor(&wide).magnitude().clone(), width + more)
        }
        _ => of(a),
    }
}
