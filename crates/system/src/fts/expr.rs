//! First-order terms and formulas over named symbols: one type for both, each symbol with its sort.

use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Unbounded integers.
    Int,
    Real,
    /// Values named in the program; its size is known.
    Enumeration(Arc<str>, Arc<[Arc<str>]>),
    /// Indexed by integers; what lies outside the bounds is of no concern.
    Array(Box<Sort>),
    /// Finite sequences: asynchronous channels, queues, lists.
    Sequence(Box<Sort>),
    /// Finite trees: what constructors make of their fields.
    Data(Arc<Datatype>),
    /// The datatype being defined; only inside a field of one of its constructors.
    Itself,
    /// A type of which nothing is known.
    Opaque(Arc<str>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Datatype {
    pub name: Arc<str>,
    pub constructors: Vec<Constructor>,
}

/// The fields of a constructor; a field of sort [`Sort::Itself`] makes trees.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Constructor {
    pub name: Arc<str>,
    pub fields: Vec<(Arc<str>, Sort)>,
}

impl Datatype {
    /// Whether its values lie within each other.
    pub fn is_tree(&self) -> bool {
        self.constructors.iter().flat_map(|c| &c.fields).any(|(_, sort)| *sort == Sort::Itself)
    }
}

impl Sort {
    pub fn datatype(&self) -> Option<&Arc<Datatype>> {
        if let Sort::Data(data) = self { Some(data) } else { None }
    }

    /// The sort of a field, with the datatype itself in the place of [`Sort::Itself`].
    pub fn field(&self, constructor: usize, field: usize) -> Option<Sort> {
        let (_, sort) = self.datatype()?.constructors.get(constructor)?.fields.get(field)?;
        Some(if *sort == Sort::Itself { self.clone() } else { sort.clone() })
    }
}

/// A name with its sort. Variables, rigid constants, bound variables and parameters are all symbols.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    pub name: Arc<str>,
    pub sort: Sort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    Not,
    And,
    Or,
    Implies,
    Iff,
    /// If the first then the second else the third.
    Ite,
    Equal,
    Less,
    LessEqual,
    Add,
    Subtract,
    Negate,
    Multiply,
    /// The Euclidean quotient of integers: the remainder is never negative, whatever the signs (as SMT-LIB has it).
    Divide,
    /// The Euclidean remainder of integers.
    Modulo,
    /// The exact quotient of real numbers; integers count as such. It stays exact whatever is substituted.
    Over,
    Select,
    Store,
    /// A sequence with one more element at its end.
    Append,
    /// A sequence with one more element before its first.
    Prepend,
    First,
    Rest,
    Length,
    /// Sequence, place: the element there, counted from 1.
    Nth,
    /// A [`Constant`](Expr::Constant) that names the constructor, then its fields. A constructor without fields is the constant alone.
    Construct,
    /// Whether a value was made by the constructor of this number.
    Is(usize),
    /// Of a value made by this constructor, this field.
    Field(usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantifier {
    Forall,
    Exists,
}

/// A bound variable, between bounds if they are given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binder {
    pub symbol: Symbol,
    pub range: Option<Box<(Expr, Expr)>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expr {
    Bool(bool),
    Int(BigInt),
    /// A value of an enumeration, or a constructor of a datatype, by its number.
    Constant(Sort, usize),
    /// The empty sequence of a sort of elements.
    Empty(Sort),
    Symbol(Symbol),
    Apply(Op, Vec<Expr>),
    /// A rigid function.
    Call(Symbol, Vec<Expr>),
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
}

impl Symbol {
    pub fn new(name: impl Into<Arc<str>>, sort: Sort) -> Symbol {
        Symbol { name: name.into(), sort }
    }

    pub fn expr(&self) -> Expr {
        Expr::Symbol(self.clone())
    }
}

impl Binder {
    pub fn free(symbol: Symbol) -> Binder {
        Binder { symbol, range: None }
    }

    /// What is known of the bound variable.
    pub fn bounds(&self) -> Expr {
        match self.range.as_deref() {
            None => Expr::TRUE,
            Some((low, high)) => Expr::and([
                Expr::le(low.clone(), self.symbol.expr()),
                Expr::le(self.symbol.expr(), high.clone()),
            ]),
        }
    }
}

/// Constructors; they drop what is trivially so.
impl Expr {
    pub const TRUE: Expr = Expr::Bool(true);
    pub const FALSE: Expr = Expr::Bool(false);

    pub fn int(value: i64) -> Expr {
        Expr::Int(BigInt::from(value))
    }

    pub fn negation(e: Expr) -> Expr {
        match e {
            Expr::Bool(b) => Expr::Bool(!b),
            Expr::Apply(Op::Not, mut inner) if inner.len() == 1 => inner.remove(0),
            e => Expr::Apply(Op::Not, vec![e]),
        }
    }

    pub fn and(parts: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::junction(Op::And, true, parts)
    }

    pub fn or(parts: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::junction(Op::Or, false, parts)
    }

    fn junction(op: Op, unit: bool, parts: impl IntoIterator<Item = Expr>) -> Expr {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Expr::Bool(b) if b == unit => {}
                Expr::Bool(b) => return Expr::Bool(b),
                Expr::Apply(inner, more) if inner == op => kept.extend(more),
                part => kept.push(part),
            }
        }
        match kept.len() {
            0 => Expr::Bool(unit),
            1 => kept.remove(0),
            _ => Expr::Apply(op, kept),
        }
    }

    pub fn implies(a: Expr, b: Expr) -> Expr {
        match (a, b) {
            (Expr::Bool(true), b) => b,
            (Expr::Bool(false), _) | (_, Expr::Bool(true)) => Expr::TRUE,
            (a, Expr::Bool(false)) => Expr::negation(a),
            (a, b) => Expr::Apply(Op::Implies, vec![a, b]),
        }
    }

    pub fn iff(a: Expr, b: Expr) -> Expr {
        Expr::Apply(Op::Iff, vec![a, b])
    }

    pub fn ite(c: Expr, a: Expr, b: Expr) -> Expr {
        Expr::Apply(Op::Ite, vec![c, a, b])
    }

    pub fn eq(a: Expr, b: Expr) -> Expr {
        match (&a, &b) {
            (Expr::Int(x), Expr::Int(y)) => Expr::Bool(x == y),
            (Expr::Constant(_, x), Expr::Constant(_, y)) => Expr::Bool(x == y),
            _ if a == b => Expr::TRUE,
            _ => Expr::Apply(Op::Equal, vec![a, b]),
        }
    }

    pub fn lt(a: Expr, b: Expr) -> Expr {
        match (&a, &b) {
            (Expr::Int(x), Expr::Int(y)) => Expr::Bool(x < y),
            _ => Expr::Apply(Op::Less, vec![a, b]),
        }
    }

    pub fn le(a: Expr, b: Expr) -> Expr {
        match (&a, &b) {
            (Expr::Int(x), Expr::Int(y)) => Expr::Bool(x <= y),
            _ => Expr::Apply(Op::LessEqual, vec![a, b]),
        }
    }

    pub fn sum(a: Expr, b: Expr) -> Expr {
        Expr::Apply(Op::Add, vec![a, b])
    }

    pub fn difference(a: Expr, b: Expr) -> Expr {
        Expr::Apply(Op::Subtract, vec![a, b])
    }

    pub fn select(array: Expr, index: Expr) -> Expr {
        Expr::Apply(Op::Select, vec![array, index])
    }

    pub fn store(array: Expr, index: Expr, value: Expr) -> Expr {
        Expr::Apply(Op::Store, vec![array, index, value])
    }

    /// The value that a constructor makes of its fields.
    pub fn construct(sort: &Sort, constructor: usize, fields: Vec<Expr>) -> Expr {
        let name = Expr::Constant(sort.clone(), constructor);
        if fields.is_empty() {
            return name;
        }
        Expr::Apply(Op::Construct, std::iter::once(name).chain(fields).collect())
    }

    pub fn is(e: Expr, constructor: usize) -> Expr {
        match e.constructor() {
            Some(made) => Expr::Bool(made == constructor),
            None => Expr::Apply(Op::Is(constructor), vec![e]),
        }
    }

    /// The constructor that made the value, if the expression shows it.
    fn constructor(&self) -> Option<usize> {
        match self {
            Expr::Constant(Sort::Data(_), n) => Some(*n),
            Expr::Apply(Op::Construct, parts) => parts.first()?.constructor(),
            _ => None,
        }
    }

    pub fn forall(binders: Vec<Binder>, body: Expr) -> Expr {
        Expr::quantified(Quantifier::Forall, binders, body)
    }

    pub fn exists(binders: Vec<Binder>, body: Expr) -> Expr {
        Expr::quantified(Quantifier::Exists, binders, body)
    }

    /// Drops binders that bind nothing. One with a range is kept: the range may be empty.
    fn quantified(quantifier: Quantifier, mut binders: Vec<Binder>, body: Expr) -> Expr {
        let free = body.symbols();
        let in_ranges: Vec<_> = binders
            .iter()
            .filter_map(|b| b.range.as_deref())
            .flat_map(|r| [r.0.symbols(), r.1.symbols()])
            .collect();
        binders.retain(|b| {
            b.range.is_some()
                || free.contains_key(&b.symbol.name)
                || in_ranges.iter().any(|names| names.contains_key(&b.symbol.name))
        });
        if binders.is_empty() { body } else { Expr::Quantified(quantifier, binders, Box::new(body)) }
    }
}

impl Expr {
    pub fn sort(&self) -> Sort {
        match self {
            Expr::Bool(_) | Expr::Quantified(..) => Sort::Bool,
            Expr::Int(_) => Sort::Int,
            Expr::Constant(sort, _) => sort.clone(),
            Expr::Empty(element) => Sort::Sequence(Box::new(element.clone())),
            Expr::Symbol(symbol) | Expr::Call(symbol, _) => symbol.sort.clone(),
            Expr::Apply(op, parts) => match op {
                Op::Not | Op::And | Op::Or | Op::Implies | Op::Iff => Sort::Bool,
                Op::Equal | Op::Less | Op::LessEqual => Sort::Bool,
                Op::Add | Op::Subtract | Op::Negate | Op::Multiply => {
                    let real = parts.iter().any(|p| p.sort() == Sort::Real);
                    if real { Sort::Real } else { Sort::Int }
                }
                Op::Over => Sort::Real,
                Op::Divide | Op::Modulo | Op::Length => Sort::Int,
                Op::Ite => match (parts[1].sort(), parts[2].sort()) {
                    (Sort::Int, Sort::Real) => Sort::Real,
                    (sort, _) => sort,
                },
                Op::Is(_) => Sort::Bool,
                Op::Field(constructor, field) => {
                    let of = parts[0].sort();
                    of.field(*constructor, *field).unwrap_or(of)
                }
                Op::Store | Op::Append | Op::Prepend | Op::Rest | Op::Construct => parts[0].sort(),
                Op::Select | Op::First | Op::Nth => match parts[0].sort() {
                    Sort::Array(element) | Sort::Sequence(element) => *element,
                    other => other,
                },
            },
        }
    }

    /// How many operators and symbols it has.
    pub fn size(&self) -> usize {
        match self {
            Expr::Apply(_, parts) | Expr::Call(_, parts) => 1 + parts.iter().map(Expr::size).sum::<usize>(),
            Expr::Quantified(_, _, body) => 1 + body.size(),
            _ => 1,
        }
    }

    /// The free symbols by name; functions are not among them.
    pub fn symbols(&self) -> BTreeMap<Arc<str>, Symbol> {
        let mut found = BTreeMap::new();
        self.collect(&mut Vec::new(), &mut found);
        found
    }

    fn collect(&self, bound: &mut Vec<Arc<str>>, found: &mut BTreeMap<Arc<str>, Symbol>) {
        match self {
            Expr::Symbol(symbol) if !bound.contains(&symbol.name) => {
                found.insert(symbol.name.clone(), symbol.clone());
            }
            Expr::Apply(_, parts) | Expr::Call(_, parts) => {
                parts.iter().for_each(|p| p.collect(bound, found))
            }
            Expr::Quantified(_, binders, body) => {
                let depth = bound.len();
                for binder in binders {
                    if let Some((low, high)) = binder.range.as_deref() {
                        low.collect(bound, found);
                        high.collect(bound, found);
                    }
                    bound.push(binder.symbol.name.clone());
                }
                body.collect(bound, found);
                bound.truncate(depth);
            }
            _ => {}
        }
    }

    /// Replaces free symbols. Bound variables that would capture a symbol of a replacement are renamed.
    pub fn substitute(&self, replace: &dyn Fn(&Symbol) -> Option<Expr>) -> Expr {
        match self {
            Expr::Symbol(symbol) => replace(symbol).unwrap_or_else(|| self.clone()),
            Expr::Apply(op, parts) => {
                Expr::rebuild(*op, parts.iter().map(|p| p.substitute(replace)).collect())
            }
            Expr::Call(symbol, parts) => {
                Expr::Call(symbol.clone(), parts.iter().map(|p| p.substitute(replace)).collect())
            }
            Expr::Quantified(quantifier, binders, body) => {
                substitute_under(*quantifier, binders, body, replace)
            }
            _ => self.clone(),
        }
    }

    /// An application whose parts are new; logical operators drop what is trivially so.
    pub fn rebuild(op: Op, mut parts: Vec<Expr>) -> Expr {
        match (op, parts.len()) {
            (Op::Not, 1) => Expr::negation(parts.remove(0)),
            (Op::And, _) => Expr::and(parts),
            (Op::Or, _) => Expr::or(parts),
            (Op::Implies | Op::Equal | Op::Less | Op::LessEqual, 2) => {
                let (b, a) = (parts.remove(1), parts.remove(0));
                match op {
                    Op::Implies => Expr::implies(a, b),
                    Op::Equal => Expr::eq(a, b),
                    Op::Less => Expr::lt(a, b),
                    _ => Expr::le(a, b),
                }
            }
            (Op::Is(constructor), 1) => Expr::is(parts.remove(0), constructor),
            (Op::Ite, 3) if matches!(parts[0], Expr::Bool(_)) => {
                parts.remove(if parts[0] == Expr::TRUE { 1 } else { 2 })
            }
            _ => Expr::Apply(op, parts),
        }
    }

    /// The conjuncts of a conjunction; a single one otherwise.
    pub fn conjuncts(&self) -> Vec<Expr> {
        match self {
            Expr::Apply(Op::And, parts) => parts.iter().flat_map(Expr::conjuncts).collect(),
            Expr::Bool(true) => Vec::new(),
            e => vec![e.clone()],
        }
    }
}

fn substitute_under(
    quantifier: Quantifier,
    binders: &[Binder],
    body: &Expr,
    replace: &dyn Fn(&Symbol) -> Option<Expr>,
) -> Expr {
    let bound = |name: &Arc<str>| binders.iter().any(|b| b.symbol.name == *name);
    // Names that replacements bring in under these binders.
    let mut free = body.symbols();
    for (low, high) in binders.iter().filter_map(|b| b.range.as_deref()) {
        free.extend(low.symbols());
        free.extend(high.symbols());
    }
    let brought: Vec<Arc<str>> = free
        .values()
        .filter(|s| !bound(&s.name))
        .filter_map(replace)
        .flat_map(|e| e.symbols().into_keys())
        .collect();
    let renamed: Vec<(Arc<str>, Symbol)> = binders
        .iter()
        .filter(|b| brought.contains(&b.symbol.name))
        .map(|b| {
            let mut name = format!("{}_", b.symbol.name);
            while brought.iter().any(|n| **n == *name) || free.contains_key(name.as_str()) {
                name.push('_');
            }
            (b.symbol.name.clone(), Symbol::new(name, b.symbol.sort.clone()))
        })
        .collect();
    let fresh = |name: &Arc<str>| renamed.iter().find(|(old, _)| old == name).map(|(_, new)| new);
    let inside = |s: &Symbol| {
        if bound(&s.name) { fresh(&s.name).map(Symbol::expr) } else { replace(s) }
    };
    let binders = binders
        .iter()
        .map(|b| Binder {
            symbol: fresh(&b.symbol.name).cloned().unwrap_or_else(|| b.symbol.clone()),
            range: b
                .range
                .as_deref()
                .map(|(low, high)| Box::new((low.substitute(&inside), high.substitute(&inside)))),
        })
        .collect();
    Expr::quantified(quantifier, binders, body.substitute(&inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(name: &str) -> Symbol {
        Symbol::new(name, Sort::Int)
    }

    #[test]
    fn a_replacement_is_not_captured() {
        let (x, y) = (int("x"), int("y"));
        let body = Expr::lt(x.expr(), y.expr());
        let all = Expr::forall(vec![Binder::free(x.clone())], body);
        let replaced = all.substitute(&|s| (*s == y).then(|| Expr::sum(x.expr(), Expr::int(1))));
        assert_eq!(replaced.to_string(), "Forall x_. x_ < x + 1");
        assert_eq!(replaced.symbols().into_keys().collect::<Vec<_>>(), ["x".into()]);
    }

    #[test]
    fn bound_names_are_left_alone() {
        let x = int("x");
        let all = Expr::forall(vec![Binder::free(x.clone())], Expr::lt(x.expr(), Expr::int(3)));
        assert_eq!(all.substitute(&|s| (*s == x).then(|| Expr::int(5))), all);
    }
}
