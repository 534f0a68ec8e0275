//! The syntax tree of programs, transition systems, specifications and proofs.

use source::Span;

pub use source::{Ident, Name};

/// One file: declarations, a body (a program or transitions), a specification, proofs. Each part
/// may be missing.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub types: Vec<TypeDefinition>,
    pub macros: Vec<Macro>,
    pub declarations: Vec<Declaration>,
    pub body: Option<Statement>,
    pub initially: Vec<Expr>,
    pub transitions: Vec<TransitionText>,
    pub axioms: Vec<Claim>,
    pub properties: Vec<Claim>,
    pub proofs: Vec<Proof>,
    pub diagrams: Vec<Diagram>,
}

#[derive(Clone, Debug)]
pub struct TypeDefinition {
    pub name: Ident,
    /// None for a type of which nothing is known.
    pub definition: Option<Type>,
}

/// `macro NAME(parameters) = formula`.
#[derive(Clone, Debug)]
pub struct Macro {
    pub name: Ident,
    pub parameters: Vec<Ident>,
    pub body: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    In,
    Local,
    Out,
    Value,
}

#[derive(Clone, Debug)]
pub struct Declaration {
    pub mode: Mode,
    pub names: Vec<Ident>,
    pub of: Type,
    pub initially: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Bool,
    Int,
    Real,
    Named(Name),
    Range(Box<Expr>, Box<Expr>),
    Enumeration(Vec<Ident>),
    Array(Box<Expr>, Box<Expr>, Box<Type>),
    Record(Vec<(Ident, Type)>),
    /// `list of T`, `queue of T`.
    Sequence(Box<Type>),
    /// `data {leaf | node(left, right : tree)}`.
    Data(Vec<(Ident, Vec<(Ident, Type)>)>),
    /// `channel of T`: messages are handed over.
    Synchronous(Box<Type>),
    /// `channel [1..] of T`, `channel [1..k] of T`.
    Asynchronous(Option<Box<Expr>>, Box<Type>),
    Function(Vec<Type>, Box<Type>),
    /// An error was reported here.
    Error,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub labels: Vec<Ident>,
    /// Labels behind the statement.
    pub after: Vec<Ident>,
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Skip,
    Noncritical,
    Idle,
    Critical,
    Assign(Vec<Expr>, Vec<Expr>),
    Await(Expr),
    Produce(Expr),
    Consume(Expr),
    /// Any value of the type.
    Choose(Expr),
    Request(Expr),
    Release(Expr),
    Send(Expr, Expr),
    Receive(Expr, Expr),
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    When(Expr, Box<Statement>),
    While(Expr, Box<Statement>),
    Loop(Box<Statement>),
    Or(Vec<Statement>),
    Sequence(Vec<Statement>),
    Block(Vec<Declaration>, Box<Statement>),
    Group(Box<Statement>),
    Parallel(Vec<Statement>),
    /// `||[i:low..high] S`.
    Replicated(Ident, Expr, Expr, Box<Statement>),
    /// `P:: S`, `P[i]:: S`.
    Process(Ident, Box<Statement>),
    /// An error was reported here.
    Error,
}

/// A transition of a `.fts` file.
#[derive(Clone, Debug)]
pub struct TransitionText {
    pub name: Ident,
    pub parameters: Vec<(Ident, Expr, Expr)>,
    pub fairness: system::fts::Fairness,
    pub cases: Vec<Case>,
    pub span: Span,
}

/// `enable …`, `assign …`, `relation …`.
#[derive(Clone, Debug, Default)]
pub struct Case {
    pub enable: Vec<Expr>,
    pub assign: Vec<(Expr, Expr)>,
    pub relation: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub struct Claim {
    pub name: Ident,
    pub formula: Expr,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    Number(Name),
    /// `0.25`: its digits, and how many of them stand behind the point.
    Decimal(Name, u32),
    Name(Name),
    /// `x'`.
    Primed(Name),
    /// `l{2,3,4}`.
    Labels(Name, Vec<Name>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    If(Box<[Expr; 3]>),
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, Ident),
    Call(Box<Expr>, Vec<Expr>),
    Quantified(Quantifier, Vec<Bound>, Box<Expr>),
    Error,
}

#[derive(Clone, Debug)]
pub struct Bound {
    pub names: Vec<Ident>,
    pub of: Option<Type>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    Exists,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Not,
    Negate,
    Temporal(logic::ltl::Unary),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    And,
    Or,
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    /// `div`, of integers alone.
    Divide,
    /// `/`: exact where a real number is expected, else as `div`.
    Over,
    Modulo,
    /// `<==>`, congruence: always equivalent.
    Congruent,
    Temporal(logic::ltl::Binary),
}

/// `PROOF name : rule …`. What a rule needs is for the lowering to know.
#[derive(Clone, Debug)]
pub struct Proof {
    pub of: Ident,
    pub rule: Ident,
    pub steps: Vec<ProofStep>,
    /// Names of background properties; none means all that are active.
    pub using: Option<Vec<Ident>>,
    pub span: Span,
}

/// `[name:] formula [by transition[index, …], …] [rank expression, …]`.
#[derive(Clone, Debug)]
pub struct ProofStep {
    pub formula: Expr,
    pub by: Vec<(Ident, Vec<Expr>)>,
    pub rank: Vec<Expr>,
}

/// `DIAGRAM name : kind proves property { … } using …`.
#[derive(Clone, Debug)]
pub struct Diagram {
    pub name: Ident,
    pub kind: Ident,
    /// The names of the properties; none if there is one with the name of the diagram.
    pub proves: Vec<Ident>,
    pub items: Vec<DiagramItem>,
    /// From brace to brace.
    pub body: Span,
    pub using: Option<Vec<Ident>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct DiagramItem {
    pub kind: DiagramItemKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DiagramItemKind {
    /// `node name : assertion rank … label …`.
    Node(DiagramNode),
    /// `compound name : assertion { … }`.
    Compound(Ident, Option<Expr>, Vec<DiagramItem>),
    /// `edge names -> names by transitions`.
    Edge(Vec<Ident>, Vec<Ident>, Vec<(Ident, Vec<Expr>)>),
    Initial(Vec<Ident>),
    Terminal(Vec<Ident>),
    /// `accept {…}, …`; whether more nodes may be visited, too.
    Accept(Vec<Vec<Ident>>, bool),
    /// `streett {…} or {…}`: edges by their ends.
    Streett(Vec<(Ident, Ident)>, Vec<(Ident, Ident)>),
}

#[derive(Clone, Debug)]
pub struct DiagramNode {
    pub name: Ident,
    pub assertion: Expr,
    /// Numbers; sets as existential quantifiers.
    pub rank: Vec<Expr>,
    pub label: Option<Expr>,
}
