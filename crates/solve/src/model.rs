//! Models: which values the symbols of a formula have.

use logic::fol::{Interpretation, Op, Sort, Symbol, Value};
use std::collections::BTreeMap;
use std::fmt;

/// A function by its finitely many exceptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The arguments at which the value is not the default.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value at all other arguments.
    pub default: Value,
}

impl Table {
    /// The value at these arguments.
    pub fn get(&self, arguments: &[Value]) -> &Value {
        self.entries.get(arguments).unwrap_or(&self.default)
    }
}

/// What the symbols mean. Symbols that are missing may be anything; [`Value::default_of`] their
/// sort will do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Values of symbols without arguments.
    pub constants: BTreeMap<Symbol, Value>,
    /// Tables of symbols with arguments.
    pub functions: BTreeMap<Symbol, Table>,
    /// Values that the theories leave open, by operator and first sort: division by zero, the head
    /// of an empty queue.
    pub open: BTreeMap<(Op, Sort), Table>,
    /// How many elements each uninterpreted sort has; one if it is missing.
    pub universes: BTreeMap<Sort, usize>,
    /// Whether our own evaluator found all assumptions true and the goal false. Models of embedded
    /// engines always are; those of external engines may not be, if formulas have quantifiers over
    /// infinite sorts.
    pub confirmed: bool,
}

/// In a model every term has a value, but for quantifiers over too many.
impl Interpretation for Model {
    fn symbol(&self, symbol: &Symbol) -> Option<Value> {
        Some(self.constant(symbol))
    }

    fn call(&self, function: &Symbol, arguments: &[Value]) -> Option<Value> {
        Some(self.apply(function, arguments))
    }

    fn open(&self, op: &Op, arguments: &[Value], sort: &Sort) -> Option<Value> {
        let first = arguments.first().map(Value::sort);
        let table = first.and_then(|first| self.open.get(&(op.clone(), first)));
        Some(table.map_or_else(|| Value::default_of(sort), |table| table.get(arguments).clone()))
    }

    fn universe(&self, sort: &Sort) -> Option<usize> {
        Some(self.universes.get(sort).copied().unwrap_or(1))
    }

    fn few(&self) -> usize {
        256
    }
}

impl Model {
    /// The value of a symbol; that of [`Value::default_of`] if the model leaves it open.
    pub fn constant(&self, symbol: &Symbol) -> Value {
        self.constants.get(symbol).cloned().unwrap_or_else(|| Value::default_of(&symbol.sort))
    }

    /// The value of a function at these arguments, with the same default.
    pub fn apply(&self, symbol: &Symbol, arguments: &[Value]) -> Value {
        match self.functions.get(symbol) {
            Some(table) => table.get(arguments).clone(),
            None => Value::default_of(&symbol.sort),
        }
    }
}

/// One symbol a line.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (symbol, value) in &self.constants {
            writeln!(f, "{} = {value}", &symbol.name)?;
        }
        for (symbol, table) in &self.functions {
            for (arguments, value) in &table.entries {
                let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
                writeln!(f, "{}({}) = {value}", &symbol.name, arguments.join(", "))?;
            }
            writeln!(f, "{}(…) = {} otherwise", &symbol.name, table.default)?;
        }
        Ok(())
    }
}
