//! Small systems as `fuzz-prove` makes them: SPL programs and transition systems, with a meaning that is evaluated, never proved.

/// A variable, by its number.
pub type Var = usize;

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Range(i64, i64),
    Int,
    Real,
    Bool,
    /// An enumeration of so many values.
    Named(usize),
    /// Elements 0 to n - 1 of a range.
    Array(usize, i64, i64),
    /// A bounded channel of a range.
    Channel(usize, i64, i64),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// Its first value; any of its values if there is none.
    pub first: Option<i64>,
}

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
    Length(Var),
    Negate(Box<Num>),
    Binary(Op, Box<Num>, Box<Num>),
    If(Box<Test>, Box<Num>, Box<Num>),
    /// A macro that stands for the quotient of two literals.
    Macro(i64, i64),
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
    /// A thread is at the location of a label.
    At(usize, usize),
    Not(Box<Test>),
    Binary(Connective, Box<Test>, Box<Test>),
    Compare(Relation, Num, Num),
    /// For all, or for some, indices 0 to n - 1.
    Quantified(bool, usize, Box<Test>),
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
}

#[derive(Clone, Debug)]
pub enum Value {
    Num(Num),
    Test(Test),
    Named(usize),
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
    Request(Var),
    Release(Var),
    Send(Var, Num),
    Receive(Var, Var),
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
    /// Axioms about functions `f` and `g` of state variables, true together or not; nothing else speaks of these functions.
    pub functions: Vec<String>,
    pub claims: Vec<Claim>,
}

impl System {
    pub fn is_program(&self) -> bool {
        self.transitions.is_empty()
    }
}
