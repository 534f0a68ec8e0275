//! The Java programs that `fuzz-java` writes: a small language of its own, with one meaning for
//! the printer (`print`) and one for the interpreter (`compile`, `machine`).
//!
//! Everything is named by its index, so that a statement can be dropped without renaming. Class 0
//! is the one with `main`.

/// What the library provides; own classes are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cls {
    Own(usize),
    Object,
    Lock,
    Condition,
    AtomicInt,
    AtomicBool,
    AtomicRef,
    Thread,
    Executor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    Int,
    Bool,
    Str,
    BoxInt,
    BoxBool,
    Ref(Cls),
}

/// Exceptions, by class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exc {
    Null,
    Arithmetic,
    Cast,
    Monitor,
    ThreadState,
    Rejected,
    Runtime,
    State,
    /// `Ex`, an exception class of the program.
    Own,
    Assertion,
    Initializer,
    NoClass,
}

/// What a `catch` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Catch {
    One(Exc),
    Exception,
    Throwable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId {
    pub class: usize,
    pub field: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodId {
    pub class: usize,
    pub method: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    And,
    Or,
    /// `&`: both sides are evaluated.
    Both,
    Xor,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    Local(usize),
    Static(FieldId),
    Field(Box<Expr>, FieldId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atomic {
    Get,
    Set,
    CompareAndSet,
    GetAndIncrement,
    IncrementAndGet,
    DecrementAndGet,
    GetAndSet,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    Null,
    Int(i32),
    Bool(bool),
    Str(String),
    This,
    Read(Place),
    /// A `static final` number whose initializer is a literal.
    Constant(FieldId, i32),
    New(Cls, Vec<Expr>),
    Bin(Op, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    Assign(Place, Box<Expr>),
    Compound(Op, Place, Box<Expr>),
    /// `++` or `--`, before or after.
    Step {
        place: Place,
        up: bool,
        prefix: bool,
    },
    Static(MethodId, Vec<Expr>),
    Call(Box<Expr>, MethodId, Vec<Expr>),
    Cast(Cls, Box<Expr>),
    InstanceOf(Box<Expr>, Cls),
    /// Boxing is never written, unboxing only sometimes.
    Box(Box<Expr>),
    Unbox {
        of: Box<Expr>,
        to: Type,
        written: bool,
    },
    Concat(Box<Expr>, Box<Expr>),
    Length(Box<Expr>),
    Equals(Box<Expr>, Box<Expr>),
    ToString(Box<Expr>),
    Atomic(Atomic, Box<Expr>, Vec<Expr>),
    TryLock(Box<Expr>),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    Local(usize, Type, Expr),
    Do(Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    /// `for (int i = 0; i < n; i++)`
    For(usize, i32, Vec<Stmt>),
    Sync(Expr, Vec<Stmt>),
    Try(Vec<Stmt>, Vec<(Catch, Vec<Stmt>)>, Option<Vec<Stmt>>),
    Throw(Exc),
    Return(Option<Expr>),
    Break,
    Assert(Expr),
    Print(Expr),
    Wait(Expr),
    Notify(Expr),
    NotifyAll(Expr),
    Lock(Expr),
    Unlock(Expr),
    Await(Expr),
    Signal(Expr),
    SignalAll(Expr),
    Start(Expr),
    Join(Expr),
    Sleep,
    Submit(Expr, Expr),
    Execute(Expr, Expr),
    Shutdown(Expr),
}

/// A statement; `id` finds its line and its gates.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stmt {
    pub id: u32,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    pub of_class: bool,
    pub volatile: bool,
    pub constant: bool,
    /// A static one runs when its class is initialized, the other when an object is made.
    pub init: Option<Stmt>,
    /// Nothing uses it: it is not printed.
    pub hidden: bool,
}

#[derive(Debug, Clone)]
pub struct Method {
    pub name: String,
    pub params: Vec<Type>,
    pub result: Option<Type>,
    pub of_class: bool,
    pub synced: bool,
    /// Types of all locals, parameters first (`this` is not one).
    pub locals: Vec<Type>,
    pub body: Vec<Stmt>,
    pub hidden: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    Main,
    Plain,
    Thread,
    Runnable,
}

#[derive(Debug, Clone)]
pub struct Class {
    pub name: String,
    pub parent: Option<usize>,
    pub nature: Nature,
    pub fields: Vec<Field>,
    /// Fields that the constructor's parameters are assigned to.
    pub constructor: Vec<usize>,
    pub methods: Vec<Method>,
    pub hidden: bool,
}

#[derive(Debug, Clone)]
pub struct Program {
    pub name: String,
    pub classes: Vec<Class>,
    /// `//@ range NAME LOW..HIGH`, for every number that has one.
    pub ranges: Vec<(String, i32, i32)>,
    pub next_id: u32,
}

impl Program {
    pub fn field(&self, id: FieldId) -> &Field {
        &self.classes[id.class].fields[id.field]
    }

    pub fn method(&self, id: MethodId) -> &Method {
        &self.classes[id.class].methods[id.method]
    }

    pub fn range(&self, name: &str) -> Option<(i32, i32)> {
        self.ranges.iter().find(|(n, _, _)| n == name).map(|&(_, low, high)| (low, high))
    }

    /// Is `class` the same as `of`, or below it?
    pub fn is(&self, class: Cls, of: Cls) -> bool {
        match (class, of) {
            _ if class == of || of == Cls::Object => true,
            (Cls::Own(own), Cls::Thread) => self.classes[own].nature == Nature::Thread,
            (Cls::Own(own), _) => {
                self.classes[own].parent.is_some_and(|parent| self.is(Cls::Own(parent), of))
            }
            _ => false,
        }
    }

    /// The method that a call on an object of `class` runs.
    pub fn dispatch(&self, class: usize, name: &str) -> Option<MethodId> {
        let own = self.classes[class].methods.iter().position(|m| m.name == name && !m.of_class);
        match own {
            Some(method) => Some(MethodId { class, method }),
            None => self.dispatch(self.classes[class].parent?, name),
        }
    }
}

impl Exc {
    pub fn name(self) -> &'static str {
        match self {
            Exc::Null => "NullPointerException",
            Exc::Arithmetic => "ArithmeticException",
            Exc::Cast => "ClassCastException",
            Exc::Monitor => "IllegalMonitorStateException",
            Exc::ThreadState => "IllegalThreadStateException",
            Exc::Rejected => "RejectedExecutionException",
            Exc::Runtime => "RuntimeException",
            Exc::State => "IllegalStateException",
            Exc::Own => "Ex",
            Exc::Assertion => "AssertionError",
            Exc::Initializer => "ExceptionInInitializerError",
            Exc::NoClass => "NoClassDefFoundError",
        }
    }

    pub fn is_error(self) -> bool {
        matches!(self, Exc::Assertion | Exc::Initializer | Exc::NoClass)
    }
}

impl Catch {
    pub fn name(self) -> &'static str {
        match self {
            Catch::One(exc) => exc.name(),
            Catch::Exception => "Exception",
            Catch::Throwable => "Throwable",
        }
    }

    pub fn catches(self, thrown: Exc) -> bool {
        match self {
            Catch::One(Exc::Runtime) | Catch::Exception => !thrown.is_error(),
            Catch::One(exc) => exc == thrown,
            Catch::Throwable => true,
        }
    }
}

impl Type {
    pub fn is_ref(self) -> bool {
        !matches!(self, Type::Int | Type::Bool)
    }

    /// The first letter of its locals' names.
    pub fn letter(self) -> char {
        match self {
            Type::Int => 'i',
            Type::Bool => 'b',
            Type::Str => 's',
            Type::BoxInt => 'n',
            Type::BoxBool => 'q',
            Type::Ref(_) => 'r',
        }
    }
}

/// The name of a local.
pub fn local(slot: usize, ty: Type) -> String {
    format!("{}{slot}", ty.letter())
}

/// The gate of the `nth` visible operation of a statement.
pub fn gate(statement: u32, nth: u32) -> u32 {
    statement * 64 + nth
}
