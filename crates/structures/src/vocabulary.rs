//! The predicates of a model: names, arities, attributes, and where their bits lie in a structure.
//!
//! Predicates have no, one or two arguments. Every vocabulary begins with the unary `sm`, the
//! summary predicate: 0 says that a node stands for exactly one individual, 1/2 for one or more; it
//! is never 1.

use crate::formula::Formula;
use source::Span;

/// A predicate by its arity and its number among those of that arity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// Without arguments: a fact about the state.
    Nullary(u16),
    /// With one argument: a property of individuals.
    Unary(u16),
    /// With two arguments: a relation.
    Binary(u16),
}

/// `sm`.
pub const SUMMARY: Symbol = Symbol::Unary(0);

/// What is required of a predicate; each becomes constraints, and each is an obligation on every
/// action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// At most one individual has it.
    Unique,
    /// At most one second argument for each first.
    Function,
    /// At most one first argument for each second.
    InvFunction,
    /// It holds both ways or not at all.
    Symmetric,
    /// It holds both ways of equal individuals alone.
    Antisymmetric,
    /// It holds between every individual and itself.
    Reflexive,
    /// It holds between no individual and itself.
    Antireflexive,
    /// Two steps of it are a step of it.
    Transitive,
    /// No way leads from an individual back to it.
    Acyclic,
}

/// A predicate and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    /// As the file or the tool calls it, with its index.
    pub name: String,
    /// How structures refer to it.
    pub symbol: Symbol,
    /// Its declaration.
    pub span: Span,
    /// What is required of it in every state.
    pub attributes: Vec<Attribute>,
    /// Individuals that differ in it are kept apart by blur. Meaningless unless unary.
    pub abstraction: bool,
    /// Derived (instrumentation) predicates have a definition over the arguments 0 and 1.
    pub definition: Option<Formula>,
    /// Written in no file: made by the tool for its own needs.
    pub hidden: bool,
}

/// The predicates of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vocabulary {
    /// In the order of declaration; `sm`, for summary nodes, is the first.
    pub predicates: Vec<Predicate>,
    counts: [u16; 3],
}

/// How many words of 64 bits the parts of a structure take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(crate) nullary_words: usize,
    /// Of the unary predicates of one node, for may or for must.
    pub unary_words: usize,
    /// How many binary predicates there are, each two words of a node.
    pub binary: usize,
}

impl Symbol {
    /// The number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Symbol::Nullary(_) => 0,
            Symbol::Unary(_) => 1,
            Symbol::Binary(_) => 2,
        }
    }

    /// All tuples of it over this number of individuals; what is not used is 0.
    pub fn tuples(self, individuals: usize) -> impl Iterator<Item = [usize; 2]> {
        let binary = self.arity() == 2;
        let count = individuals.pow(self.arity() as u32);
        (0..count).map(move |at| if binary { [at / individuals, at % individuals] } else { [at, 0] })
    }
}

impl Attribute {
    /// Each with its word in files.
    pub const ALL: [(&'static str, Attribute); 9] = [
        ("unique", Attribute::Unique),
        ("function", Attribute::Function),
        ("invfunction", Attribute::InvFunction),
        ("symmetric", Attribute::Symmetric),
        ("antisymmetric", Attribute::Antisymmetric),
        ("reflexive", Attribute::Reflexive),
        ("antireflexive", Attribute::Antireflexive),
        ("transitive", Attribute::Transitive),
        ("acyclic", Attribute::Acyclic),
    ];

    /// The word in files.
    pub fn name(self) -> &'static str {
        Attribute::ALL.iter().find(|(_, a)| *a == self).map_or("", |(name, _)| name)
    }

    /// The number of arguments that a predicate with it has.
    pub fn arity(self) -> usize {
        if self == Attribute::Unique { 1 } else { 2 }
    }
}

impl Vocabulary {
    /// With `sm` alone.
    pub fn new() -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        vocabulary.declare("sm", 1, Span::default());
        vocabulary.predicates[0].abstraction = false;
        vocabulary.predicates[0].hidden = true;
        vocabulary
    }

    /// Adds a predicate; unary ones are abstraction predicates.
    pub fn declare(&mut self, name: &str, arity: usize, span: Span) -> Symbol {
        let number = self.counts[arity];
        self.counts[arity] += 1;
        let symbol = [Symbol::Nullary, Symbol::Unary, Symbol::Binary][arity](number);
        self.predicates.push(Predicate {
            name: name.to_string(),
            symbol,
            span,
            attributes: Vec::new(),
            abstraction: arity == 1,
            definition: None,
            hidden: false,
        });
        symbol
    }

    /// Adds a predicate that is derived from others.
    pub fn derive(&mut self, name: &str, arity: usize, span: Span, definition: Formula) -> Symbol {
        let symbol = self.declare(name, arity, span);
        if let Some(predicate) = self.predicates.last_mut() {
            predicate.definition = Some(definition);
        }
        symbol
    }

    /// Where a structure has these predicates.
    pub fn layout(&self) -> Layout {
        Layout {
            nullary_words: usize::from(self.counts[0]).div_ceil(64),
            unary_words: usize::from(self.counts[1]).div_ceil(64),
            binary: usize::from(self.counts[2]),
        }
    }

    /// The place of a predicate in `predicates`.
    pub fn place(&self, symbol: Symbol) -> usize {
        self.predicates.iter().position(|p| p.symbol == symbol).unwrap_or(0)
    }

    /// The predicate of a symbol.
    pub fn get(&self, symbol: Symbol) -> &Predicate {
        &self.predicates[self.place(symbol)]
    }

    /// The name of the predicate.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.get(symbol).name
    }

    /// The predicate of this name.
    pub fn find(&self, name: &str) -> Option<&Predicate> {
        self.predicates.iter().find(|p| p.name == name)
    }

    /// The symbol of the predicate of this name.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.find(name).map(|p| p.symbol)
    }

    /// The derived predicates with their definitions, in the order of declaration.
    pub fn derived(&self) -> impl Iterator<Item = (&Predicate, &Formula)> {
        self.predicates.iter().filter_map(|p| Some((p, p.definition.as_ref()?)))
    }

    /// The bits of the abstraction predicates in the unary words.
    pub fn abstraction_mask(&self) -> Vec<u64> {
        let mut mask = vec![0; self.layout().unary_words];
        for predicate in &self.predicates {
            if let Symbol::Unary(n) = predicate.symbol
                && predicate.abstraction
            {
                mask[usize::from(n) / 64] |= 1 << (n % 64);
            }
        }
        mask
    }
}

impl Layout {
    /// Words before the first node.
    pub fn head(self) -> usize {
        2 * self.nullary_words
    }

    /// Words of one node.
    pub fn record(self) -> usize {
        2 * (self.unary_words + self.binary)
    }
}
