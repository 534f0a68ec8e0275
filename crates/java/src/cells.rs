//! Variables and fields with a range: a predicate for each value but 0. Looking at one is a branch
//! for each value; a value that is given to one must be in its range.

use crate::draft::{Draft, Mover, SELF, Variable};
use crate::flow::Label;
use crate::lower::Lower;
use crate::numbers::{OUTSIDE, Values};
use crate::program::Type;
use crate::tree::parts;
use structures::formula::{self as f, Formula, Var};
use structures::vocabulary::Symbol;
use tree_sitter::Node;

/// A variable or field with a range.
#[derive(Clone, Debug)]
pub struct Cell {
    pub symbols: Vec<(i64, Symbol)>,
    /// The object whose field it is; none if it is static or a local.
    pub owner: Option<Variable>,
    pub mover: Mover,
}

/// The values but 0 of a range.
pub fn marked(low: i64, high: i64) -> impl Iterator<Item = i64> {
    (low..=high).filter(|v| *v != 0)
}

impl Cell {
    pub fn local(variable: &Variable) -> Option<Cell> {
        let Variable::Number(symbols) = variable else { return None };
        Some(Cell { symbols: symbols.clone(), owner: None, mover: Mover::Yes })
    }

    pub fn values(&self) -> impl Iterator<Item = i64> {
        let mut all: Vec<i64> = self.symbols.iter().map(|(v, _)| *v).chain([0]).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// Whose number it is in a step: the owner of the field, or who moves.
    pub fn who(&self, draft: &mut Draft) -> Var {
        self.owner.as_ref().map_or(SELF, |owner| draft.refers(owner))
    }

    pub fn atom(symbol: Symbol, o: Var) -> Formula {
        if symbol.arity() == 0 { f::atom(symbol, &[]) } else { f::atom(symbol, &[o]) }
    }

    pub fn is(&self, draft: &mut Draft, o: Var, value: i64) -> Formula {
        draft.uses.extend(self.symbols.iter().map(|(_, s)| *s));
        match self.symbols.iter().find(|(v, _)| *v == value) {
            Some((_, symbol)) => Cell::atom(*symbol, o),
            None => f::and(self.symbols.iter().map(|(_, symbol)| f::not(Cell::atom(*symbol, o)))),
        }
    }

    pub fn set(&self, draft: &mut Draft, o: Var, value: i64) {
        for (v, symbol) in &self.symbols {
            draft.defines.insert(*symbol);
            let new = if *v == value { f::TRUE } else { f::FALSE };
            if symbol.arity() == 0 {
                draft.update(*symbol, &[], new);
            } else {
                let x = draft.fresh();
                draft.update(*symbol, &[x], f::choose(f::equal(x, o), new, f::atom(*symbol, &[x])));
            }
        }
    }
}

impl<'t> Lower<'t> {
    /// The variable or field that an expression names, if it has a range; what it takes to get
    /// there is done.
    pub fn cell(&mut self, node: Node<'t>, writes: bool, at: &mut Label) -> Option<Cell> {
        let (object, name) = match node.kind() {
            "parenthesized_expression" => return self.cell(*parts(node).first()?, writes, at),
            _ => self.program.named(node)?,
        };
        if object.is_none()
            && let Some((variable, _)) = self.find(name)
        {
            return Cell::local(&variable);
        }
        let (owner, class) = self.owner(object, at);
        self.loaded(&class, name, node, at);
        let owner = self.settled(owner, object, &self.later(node), at);
        self.cell_of(&owner, &class, name, writes)
    }

    pub fn cell_of(&mut self, owner: &Variable, class: &str, name: &str, writes: bool) -> Option<Cell> {
        let field = self.program.find_field(class, name)?.clone();
        let (Type::Number(low, high) | Type::AtomicNumber(low, high)) = field.ty else { return None };
        let arity = usize::from(!field.is_static);
        let symbol = |v: i64| format!("{}.{}={v}", field.class, field.name);
        let symbols: Vec<(i64, Symbol)> =
            marked(low, high).map(|v| (v, self.symbol(&symbol(v), arity, &[]))).collect();
        let owner = (!field.is_static).then(|| owner.clone());
        let first = symbols.first().map(|(_, s)| *s)?;
        let mover = self.uses(first, owner.as_ref(), writes);
        Some(Cell { symbols, owner, mover })
    }

    /// Branches on the value of a variable or field.
    pub fn look(&mut self, cell: &Cell, node: Node<'t>, at: Label) -> Values {
        if let Some(owner) = &cell.owner {
            self.not_null(owner, node, at);
        }
        let mover = self.sharing.reading(cell.mover);
        let mut values = Values::new();
        for value in cell.values() {
            let to = self.label(node);
            let mut draft = self.draft(node).moving(mover);
            let o = cell.who(&mut draft);
            let is = cell.is(&mut draft, o, value);
            draft.when(is);
            self.flow.add(draft, at, to);
            values.insert(value, to);
        }
        values
    }

    /// Gives a variable or field a value, which must be in its range.
    pub fn store(&mut self, cell: &Cell, value: i64, node: Node<'t>, at: &mut Label) {
        if let Some(owner) = &cell.owner {
            self.not_null(owner, node, *at);
        }
        if cell.values().all(|v| v != value) {
            let draft = self.draft(node).moving(cell.mover);
            self.fails(draft, *at, OUTSIDE, node);
            // Nothing leads on.
            *at = self.label(node);
            return;
        }
        let mut draft = self.draft(node).moving(cell.mover);
        let o = cell.who(&mut draft);
        cell.set(&mut draft, o, value);
        self.then(draft, at, node);
    }
}
