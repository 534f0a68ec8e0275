//! Small systems as `fuzz-prove` makes them: SPL programs and transition systems, with a meaning
//! that is evaluated, never proved.

/// A variable, by its number.
pub type Var = usize;

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Range(i64, i64),
    Int,
    Real,
    Bool,
    /// An enumeration of this many values.
    Named(usize),
    /// Elements of a range, or integers.
    Array(Bounds, Option<(i64, i64)>),
    /// A channel of a range.
    Channel(Capacity, i64, i64),
    /// An array of channels of a range.
    Channels(Bounds, Capacity, i64, i64),
    /// A list of integers.
    List,
}

/// The first and the last index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds(pub i64, pub i64);

impl Bounds {
    pub fn size(self) -> usize {
        (self.1 - self.0 + 1) as usize
    }

    /// The place of an index, if there is one.
    pub fn place(self, index: i128) -> Option<usize> {
        let inside = i128::from(self.0) <= index && index <= i128::from(self.1);
        inside.then(|| (index - i128::from(self.0)) as usize)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// Sender and receiver move together.
    None,
    Some(usize),
    Unbounded,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// Its first value; any of its values if there is none.
    pub first: Option<i64>,
    /// Of an array: which elements have this value at first; the others have any.
    pub given: Option<Bounds>,
    /// The record that it is a field of.
    pub record: Option<String>,
}

/// A list.
#[derive(Clone, Debug)]
pub enum Seq {
    Nil,
    Var(Var),
    Cons(Box<Num>, Box<Seq>),
    Append(Box<Seq>, Box<Num>),
    Tail(Box<Seq>),
}

/// A channel, or one of an array.
#[derive(Clone, Debug)]
pub struct Chan(pub Var, pub Option<Num>);

#[derive(Clone, Debug)]
pub enum Num {
    Lit(i64),
    Var(Var),
    Element(Var, Box<Num>),
    /// The value after the step.
    Next(Var),
    /// The index of a replicated process, of a family or of a quantifier, by its depth.
    Index(usize),
    /// The rigid constant.
    Constant,
    Length(Box<Chan>),
    /// The function on 0 to 2 that an axiom gives by a table.
    Table(Box<Num>),
    Count(Seq),
    Head(Seq),
    /// Counted from 1.
    Item(Seq, Box<Num>),
    /// 1 if a test is true, else 0.
    Truth(Box<Test>),
    Negate(Box<Num>),
    Binary(Op, Box<Num>, Box<Num>),
    If(Box<Test>, Box<Num>, Box<Num>),
    /// A macro that stands for the quotient of two literals.
    Macro(i64, i64),
    /// A number of hundredths, written as a decimal number.
    Decimal(i64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Add,
    Subtract,
    Multiply,
    Div,
    Mod,
    Over,
}

#[derive(Clone, Debug)]
pub enum Test {
    Lit(bool),
    Var(Var),
    Next(Var),
    /// A variable of an enumeration has this value.
    Named(Var, usize),
    NextNamed(Var, usize),
    /// A thread is at the location of a label; the one with this index if there are several.
    At(usize, usize, Option<Box<Num>>),
    /// Whether two arrays, lists or records are alike, or not.
    Arrays(bool, Var, Var),
    Lists(bool, Seq, Seq),
    Records(bool, String, String),
    Not(Box<Test>),
    Binary(Connective, Box<Test>, Box<Test>),
    Compare(Relation, Num, Num),
    /// For all, or for some, indices.
    Quantified(bool, Bounds, Box<Test>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Connective {
    And,
    Or,
    Implies,
    Iff,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Debug)]
pub enum Place {
    Var(Var),
    Element(Var, Num),
    Record(String),
}

#[derive(Clone, Debug)]
pub enum Value {
    Num(Num),
    Test(Test),
    Named(usize),
    Array(Var),
    List(Seq),
    Record(String),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Skip,
    Critical,
    Noncritical,
    Idle,
    Assign(Vec<(Place, Value)>),
    Await(Test),
    Choose(Var),
    Produce(Var),
    Consume(Var),
    Request(Place),
    Release(Place),
    Send(Chan, Num),
    Receive(Chan, Place),
    If(Test, Vec<Statement>, Vec<Statement>),
    While(Test, Vec<Statement>),
    /// Guarded alternatives, each one statement.
    Or(Vec<(Test, Statement)>),
    Group(Vec<Statement>),
}

/// A thread; two of them, with an index, if it is replicated.
#[derive(Clone, Debug)]
pub struct Thread {
    pub body: Vec<Statement>,
    pub forever: bool,
    pub replicated: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fairness {
    Unfair,
    Just,
    Compassionate,
}

/// A transition of a transition system; a family over 0 to n - 1 if it has an index.
#[derive(Clone, Debug)]
pub struct Transition {
    pub name: String,
    pub family: Option<usize>,
    pub fairness: Fairness,
    pub cases: Vec<Case>,
}

#[derive(Clone, Debug, Default)]
pub struct Case {
    pub enable: Option<Test>,
    pub assign: Vec<(Place, Value)>,
    pub relation: Option<Test>,
}

#[derive(Clone, Debug)]
pub enum Claim {
    Always(Test),
    First(Test),
    /// p ==> q_m W … W q_0.
    Waits(Test, Vec<Test>),
    Leads(Test, Test),
    Comes(Test),
    /// [](p --> () q).
    Next(Test, Test),
    /// [](p --> past).
    Past(Test, Past),
    /// For all values of a rigid index.
    Each(Bounds, Box<Claim>),
}

#[derive(Clone, Debug)]
pub enum Past {
    Once(Test),
    Always(Test),
    Before(Test),
    WeakBefore(Test),
    Since(Test, Test),
    BackTo(Test, Test),
}

#[derive(Clone, Debug, Default)]
pub struct System {
    pub variables: Vec<Variable>,
    pub threads: Vec<Thread>,
    pub transitions: Vec<Transition>,
    /// What the rigid constant satisfies, and a value that does.
    pub constant: Option<(Test, i64)>,
    /// An axiom about the state, true or not.
    pub axiom: Option<Test>,
    /// A condition on the beginning besides first values.
    pub initially: Option<Test>,
    /// The values of the function on 0 to 2.
    pub table: Option<[i64; 3]>,
    /// Axioms about functions `f` and `g` of state variables, true together or not; nothing else
    /// speaks of these functions.
    pub functions: Vec<String>,
    pub claims: Vec<Claim>,
    /// Whether single assignments are calls of a macro.
    pub macros: bool,
}

impl System {
    pub fn is_program(&self) -> bool {
        self.transitions.is_empty()
    }

    /// The fields of a record, in their order.
    pub fn fields(&self, record: &str) -> Vec<Var> {
        let is_field = |v: &Var| self.variables[*v].record.as_deref() == Some(record);
        (0..self.variables.len()).filter(is_field).collect()
    }

    /// The records, each once.
    pub fn records(&self) -> Vec<String> {
        let mut all: Vec<String> = self.variables.iter().filter_map(|v| v.record.clone()).collect();
        all.dedup();
        all
    }

    /// Whether sender and receiver on a channel move together.
    pub fn is_synchronous(&self, channel: &Chan) -> bool {
        let kind = &self.variables[channel.0].kind;
        matches!(kind, Kind::Channel(Capacity::None, ..) | Kind::Channels(_, Capacity::None, ..))
    }
}
