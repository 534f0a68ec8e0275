//! A Promela program as a tree: what the generator builds, the printer prints and the shrinker
//! cuts.
//!
//! Names are plain strings; the tree promises nothing about scopes. Code that builds or cuts it
//! lets SPIN judge the result.

mod print;

/// A whole model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Program {
    /// `#define NAME VALUE`.
    pub defines: Vec<(String, String)>,
    pub mtypes: Vec<Mtype>,
    pub records: Vec<Record>,
    pub globals: Vec<Decl>,
    pub inlines: Vec<Inline>,
    pub processes: Vec<Process>,
}

/// `mtype = { … }` or `mtype:name = { … }`.
#[derive(Debug, Clone, PartialEq)]
pub struct Mtype {
    pub subtype: Option<String>,
    pub members: Vec<String>,
}

/// `typedef name { … }`.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub name: String,
    pub fields: Vec<Decl>,
}

/// `inline name(parameters) { … }`.
#[derive(Debug, Clone, PartialEq)]
pub struct Inline {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Vec<Stmt>,
}

/// `init` or a proctype.
#[derive(Debug, Clone, PartialEq)]
pub struct Process {
    /// `init` has the name "init".
    pub name: String,
    /// `active [n]`; 0 for a proctype that is only run.
    pub active: u32,
    pub parameters: Vec<Decl>,
    pub priority: Option<u32>,
    pub provided: Option<Expr>,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned(u32),
    Mtype(Option<String>),
    Chan,
    Record(String),
}

/// The declaration of one variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Decl {
    pub hidden: bool,
    pub ty: Type,
    pub name: String,
    pub size: Option<u32>,
    pub init: Init,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Init {
    None,
    Value(Expr),
    List(Vec<i64>),
    Channel(u32, Vec<Type>),
}

/// A variable, an element, a field: `name[index].field…`.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    pub name: String,
    pub index: Option<Box<Expr>>,
    pub field: Option<Box<Place>>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Number(i64),
    /// An mtype member, a macro, `_pid`, `_nr_pr`, `timeout`, …
    Word(String),
    Read(Place),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len`, `empty`, `nempty`, `full`, `nfull` of a channel.
    Probe(&'static str, Place),
    /// `c?[…]` or, if random, `c??[…]`.
    Poll(Place, bool, Vec<Field>),
    Run(String, Vec<Expr>, Option<u32>),
    /// `P[i]@label`
    At(String, Box<Expr>, String),
    /// `P[i]:variable`
    Remote(String, Box<Expr>, String),
    /// `enabled(e)`, `pc_value(e)`, `get_priority(e)`.
    Call(&'static str, Box<Expr>),
}

/// An argument of a receive.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    Into(Place),
    /// A constant or mtype member.
    Match(Expr),
    Eval(Expr),
    /// `_`
    Ignore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Braces {
    Plain,
    Atomic,
    DStep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receive {
    pub random: bool,
    pub copy: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Stmt {
    Declare(Decl),
    Label(String, Box<Stmt>),
    Assign(Place, Expr),
    /// `x++` or `x--`.
    Count(Place, bool),
    Guard(Expr),
    Skip,
    Else,
    If(Vec<Vec<Stmt>>),
    Do(Vec<Vec<Stmt>>),
    Block(Braces, Vec<Stmt>),
    Unless(Vec<Stmt>, Vec<Stmt>),
    /// `for (variable : from .. to)`.
    For(String, Expr, Expr, Vec<Stmt>),
    /// `for (variable in array)`.
    ForIn(String, String, Vec<Stmt>),
    Select(String, Expr, Expr),
    Break,
    Goto(String),
    /// Arguments; sorted; written as `c!tag(rest)`.
    Send(Place, bool, Vec<Expr>, bool),
    Receive(Place, Receive, Vec<Field>),
    Assert(Expr),
    Printf(String, Vec<Expr>),
    Call(String, Vec<Expr>),
    /// `xr` or `xs` of a channel.
    Exclusive(&'static str, String),
    SetPriority(Expr, Expr),
}

impl Place {
    pub fn name(name: &str) -> Place {
        Place { name: name.to_owned(), index: None, field: None }
    }

    pub fn element(name: &str, index: Expr) -> Place {
        Place { name: name.to_owned(), index: Some(Box::new(index)), field: None }
    }
}

impl Expr {
    pub fn binary(operator: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    pub fn word(word: &str) -> Expr {
        Expr::Word(word.to_owned())
    }

    pub fn variable(name: &str) -> Expr {
        Expr::Read(Place::name(name))
    }
}
