//! Values for all terms, out of a complete assignment: numbers from arithmetic, bits from the
//! search, everything else from the classes of the congruence closure.
//!
//! Classes of one sort get values of their own where the sort allows it. Where two classes come out
//! equal (numbers that were not compared, arrays with the same entries) and a function tells them
//! apart, their equality is asked for.

use super::arrays::Components;
use super::congruence::NodeId;
use super::data::constructions;
use super::ground::Ground;
use crate::model::{Model, Table};
use logic::fol::{Op, Sort, Term, Value};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, HashMap};

/// Queues longer than this are not written down.
const LONGEST: usize = 10_000;

struct Values<'a> {
    ground: &'a Ground,
    /// Reads, by the class of the array or queue: where and what.
    reads: HashMap<NodeId, Vec<(NodeId, NodeId)>>,
    built: BTreeMap<NodeId, NodeId>,
    components: Components,
    defaults: HashMap<NodeId, Value>,
    elements: HashMap<NodeId, usize>,
    done: HashMap<NodeId, Value>,
    model: Model,
}

/// A model, or pairs of terms whose equality must be decided first.
pub fn model(ground: &Ground) -> Result<Model, Vec<(Term, Term)>> {
    let mut values = Values::new(ground);
    let mut splits = Vec::new();
    let mut seen: BTreeMap<(&Op, Vec<Value>), (NodeId, Value)> = BTreeMap::new();
    for (node, term) in ground.terms.iter().enumerate() {
        let value = values.value(node);
        if term.arguments().is_empty() {
            if let Op::Apply(symbol) = term.op() {
                values.model.constants.insert(symbol.clone(), value);
            }
            continue;
        }
        if !is_function(term) {
            continue;
        }
        let mut arguments: Vec<Value> =
            term.arguments().iter().map(|a| values.value(ground.nodes[a])).collect();
        if let Op::Select | Op::Nth = term.op() {
            // Two reads can only disagree within one class.
            arguments.push(Value::int(ground.closure.class(ground.nodes[&term.arguments()[0]])));
        }
        match seen.get(&(term.op(), arguments.clone())) {
            None => drop(seen.insert((term.op(), arguments), (node, value))),
            Some((other, result)) => {
                let apart = match term.op() {
                    Op::Construct(..) => ground.closure.class(*other) != ground.closure.class(node),
                    _ => *result != value,
                };
                if apart {
                    let pairs = term.arguments().iter().zip(ground.terms[*other].arguments());
                    let open = pairs.filter(|(a, b)| {
                        ground.closure.class(ground.nodes[*a]) != ground.closure.class(ground.nodes[*b])
                    });
                    splits.extend(open.map(|(a, b)| (a.clone(), b.clone())));
                }
            }
        }
    }
    if !splits.is_empty() {
        return Err(splits);
    }
    for ((op, mut arguments), (node, value)) in seen {
        arguments.truncate(ground.terms[node].arguments().len());
        values.enter(op, arguments, value, &ground.terms[node]);
    }
    Ok(values.model)
}

/// Whether the term is a function of the values of its arguments as far as the closure knows.
fn is_function(term: &Term) -> bool {
    matches!(
        term.op(),
        Op::Apply(_)
            | Op::Construct(..)
            | Op::Select
            | Op::Nth
            | Op::Field(..)
            | Op::Div
            | Op::Mod
            | Op::Divide
            | Op::Multiply
    )
}

impl Values<'_> {
    fn new(ground: &Ground) -> Values<'_> {
        let mut reads: HashMap<NodeId, Vec<(NodeId, NodeId)>> = HashMap::new();
        let mut elements = HashMap::new();
        let mut model = Model::default();
        for (node, term) in ground.terms.iter().enumerate() {
            if let (Op::Select | Op::Nth, [whole, at]) = (term.op(), term.arguments()) {
                let class = ground.closure.class(ground.nodes[whole]);
                reads.entry(class).or_default().push((ground.nodes[at], node));
            }
            if let Sort::Opaque(_) = term.sort() {
                let size = model.universes.entry(term.sort().clone()).or_insert(0);
                elements.entry(ground.closure.class(node)).or_insert_with(|| {
                    *size += 1;
                    *size - 1
                });
            }
        }
        Values {
            ground,
            reads,
            built: constructions(ground),
            components: Components::of(ground),
            defaults: HashMap::new(),
            elements,
            done: HashMap::new(),
            model,
        }
    }

    fn value(&mut self, node: NodeId) -> Value {
        let ground = self.ground;
        let (term, class) = (&ground.terms[node], ground.closure.class(node));
        match term.sort() {
            Sort::Bool => return Value::Bool(class == ground.closure.class(ground.truth[1])),
            Sort::Int => {
                return Value::Int(ground.number(term).map_or_else(Default::default, |n| n.numerator()));
            }
            Sort::Real => {
                return ground
                    .number(term)
                    .map_or_else(|| Value::default_of(&Sort::Real), |n| Value::Real(n.big()));
            }
            Sort::Bits(width) => return Value::Bits(ground.bits_value(term), *width),
            _ => {}
        }
        if let Some(value) = self.done.get(&class) {
            return value.clone();
        }
        let value = match term.sort() {
            Sort::Array(..) => self.array(class, term.sort()),
            Sort::Sequence(element) => self.queue(class, term, element),
            Sort::Data(_) => match self.built.get(&class).map(|node| &ground.terms[*node]) {
                Some(made) => match made.op() {
                    Op::Construct(sort, n) => {
                        let fields = made.arguments().iter().map(|a| self.value(ground.nodes[a])).collect();
                        Value::Data(sort.clone(), *n, fields)
                    }
                    _ => Value::default_of(term.sort()),
                },
                None => Value::default_of(term.sort()),
            },
            sort => Value::Element(sort.clone(), self.elements.get(&class).copied().unwrap_or(0)),
        };
        self.done.insert(class, value.clone());
        value
    }

    fn array(&mut self, class: NodeId, sort: &Sort) -> Value {
        let mut entries = BTreeMap::new();
        for (at, read) in self.reads.get(&class).cloned().unwrap_or_default() {
            let (at, read) = (self.value(at), self.value(read));
            entries.insert(at, read);
        }
        let default = self.default(class, sort);
        Value::array(sort.clone(), default, entries, &self.model)
    }

    /// What all arrays of a component hold where nothing reads.
    fn default(&mut self, class: NodeId, sort: &Sort) -> Value {
        let component = self.components.find(class);
        if let Some(value) = self.defaults.get(&component) {
            return value.clone();
        }
        let ground = self.ground;
        let elsewhere = ground.elsewhere(sort);
        let mut chosen = None;
        let mut classes: Vec<NodeId> = self.reads.keys().copied().collect();
        classes.sort_unstable();
        for other in classes {
            if self.components.find(other) != component {
                continue;
            }
            for (at, read) in self.reads[&other].clone() {
                if chosen.is_none() || elsewhere.as_ref() == Some(&ground.terms[at]) {
                    chosen = Some(self.value(read));
                }
            }
        }
        let value = match (chosen, sort) {
            (Some(value), _) => value,
            (None, Sort::Array(_, element)) => Value::default_of(element),
            (None, _) => Value::default_of(sort),
        };
        self.defaults.insert(component, value.clone());
        value
    }

    fn queue(&mut self, class: NodeId, term: &Term, element: &Sort) -> Value {
        let ground = self.ground;
        let members = ground.closure.members(class).iter();
        let length = members.filter_map(|m| ground.number(&ground.terms[*m].length())).next();
        let length = length.and_then(|n| n.numerator().to_usize()).unwrap_or(0).min(LONGEST);
        let mut elements = vec![Value::default_of(element); length];
        for (at, read) in self.reads.get(&class).cloned().unwrap_or_default() {
            if let Value::Int(at) = self.value(at)
                && let Some(place) = at.to_usize().filter(|at| *at < length)
            {
                elements[place] = self.value(read);
            }
        }
        Value::Sequence(term.sort().clone(), elements)
    }

    /// Writes the value of an application into the model, where the model has a table for it.
    fn enter(&mut self, op: &Op, arguments: Vec<Value>, value: Value, term: &Term) {
        let table = match op {
            Op::Apply(symbol) => {
                self.model.functions.entry(symbol.clone()).or_insert_with(|| table(&symbol.sort))
            }
            Op::Field(..) | Op::Nth | Op::Div | Op::Mod | Op::Divide => {
                let first = arguments[0].sort();
                self.model.open.entry((op.clone(), first)).or_insert_with(|| table(term.sort()))
            }
            _ => return,
        };
        if table.entries.is_empty() && matches!(op, Op::Apply(_)) {
            table.default = value.clone();
        }
        table.entries.insert(arguments, value);
    }
}

fn table(result: &Sort) -> Table {
    Table { entries: BTreeMap::new(), default: Value::default_of(result) }
}

impl Ground {
    /// The value of a bit-vector in the assignment at hand.
    pub(crate) fn bits_value(&self, term: &Term) -> BigUint {
        let mut value = BigUint::default();
        for (at, bit) in self.bits.get(term).into_iter().flatten().enumerate() {
            value.set_bit(at as u64, self.value(*bit) == Some(true));
        }
        value
    }
}
