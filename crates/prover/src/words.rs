//! Values of variables in the words of the program: locations by their labels, arrays element by
//! element.

use logic::fol::{Op, Sort, Symbol, Term, Value, evaluate};
use num_traits::ToPrimitive;
use solve::Model;
use system::fts::{Domain, Fts, Thread};

/// No more elements of an array are shown.
const ELEMENTS: i64 = 8;

/// A system and a model, which has the bounds of its arrays.
pub(crate) struct Words<'a> {
    pub(crate) fts: &'a Fts,
    pub(crate) model: &'a Model,
}

impl Words<'_> {
    /// What is shown of a value: a name and a value, or one of each for every element.
    pub(crate) fn of(&self, symbol: &Symbol, value: &Value) -> Vec<(String, String)> {
        let thread = self.fts.threads.iter().find(|t| t.control == *symbol);
        let name = match thread {
            Some(thread) if !thread.process.is_empty() => thread.process.clone(),
            _ => symbol.name.to_string(),
        };
        let shown = |value: &Value| match thread {
            Some(thread) => location(thread, value),
            None => value.to_string(),
        };
        let bounds = self.bounds(symbol, thread);
        match (value, bounds) {
            (Value::Array(array), Some((low, high))) if high - low < ELEMENTS => {
                let element = |index: i64| array.entries.get(&Value::int(index)).unwrap_or(&array.default);
                (low..=high).map(|index| (format!("{name}[{index}]"), shown(element(index)))).collect()
            }
            (Value::Array(_), _) => vec![(name, value.to_string())],
            _ => vec![(name, shown(value))],
        }
    }

    fn bounds(&self, symbol: &Symbol, thread: Option<&Thread>) -> Option<(i64, i64)> {
        let number = |e: &Term| evaluate(e, self.model)?.as_int()?.to_i64();
        let replicas = thread.and_then(|t| t.replicated.as_ref()).map(|p| (&p.low, &p.high));
        let declared = || match &self.fts.variable(&symbol.name)?.range {
            Some(Domain::Array { low, high, .. }) => Some((low, high)),
            _ => None,
        };
        let (low, high) = replicas.or_else(declared)?;
        Some((number(low)?, number(high)?))
    }
}

/// A formula with labels where it compares control with a location: `l2`, `l2[i]`.
pub fn labelled(fts: &Fts, e: &Term) -> Term {
    let label = |control: &Term, number: &Term| {
        let (symbol, index) = match (control.op(), control.arguments()) {
            (Op::Select, [array, index]) => (array.as_symbol()?, format!("[{index}]")),
            _ => (control.as_symbol()?, String::new()),
        };
        let thread = fts.threads.iter().find(|t| t.control == *symbol)?;
        let Op::Int(number) = number.op() else { return None };
        let label = thread.locations.get(number.to_usize()?)?.labels.first()?;
        Some(Symbol::constant(format!("{label}{index}"), Sort::Bool).term())
    };
    let found = match (e.op(), e.arguments()) {
        (Op::Equal, [a, b]) => label(a, b).or_else(|| label(b, a)),
        _ => None,
    };
    found.unwrap_or_else(|| logic::fol::rebuild(e, |part| labelled(fts, part)))
}

/// A location by its label.
fn location(thread: &Thread, value: &Value) -> String {
    let number = value.as_int().and_then(ToPrimitive::to_usize);
    match number.and_then(|n| thread.locations.get(n)) {
        Some(location) => match location.labels.first() {
            Some(label) => format!("at {label}"),
            None => format!("at location {value}"),
        },
        None => "not started".to_string(),
    }
}
