//! A random program: a fixed skeleton of classes, of which only what is used is printed, and random
//! bodies. Each program is about two or three themes, so that it stays small.

use super::ast::{
    Class, Cls, Expr, Field, FieldId, Kind, Method, MethodId, Nature, Place, Program, Stmt, Type, local,
};
use super::prune::prune;
use crate::generate::rng::Rng;

pub(super) const MAIN: usize = 0;
pub(super) const HELPER: usize = 1;
pub(super) const DATA: usize = 2;
pub(super) const SUB: usize = 3;
pub(super) const WORKER: usize = 4;
pub(super) const TASK: usize = 5;

/// Fields of the main class.
pub(super) mod at {
    pub const X: usize = 0;
    pub const Y: usize = 1;
    pub const F: usize = 2;
    pub const G: usize = 3;
    pub const S: usize = 4;
    pub const N: usize = 5;
    pub const Q: usize = 6;
    pub const A: usize = 7;
    pub const L: usize = 8;
    pub const M: usize = 9;
    pub const LOCK: usize = 10;
    pub const CONDITION: usize = 11;
    pub const COUNT: usize = 12;
    pub const BIT: usize = 13;
    pub const CELL: usize = 14;
    pub const POOL: usize = 15;
    pub const LIMIT: usize = 16;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    Exceptions,
    Texts,
    Boxes,
    Casts,
    Numbers,
    Initializers,
    Monitors,
    Waiting,
    Flags,
    Locks,
    Atomics,
    Order,
    Pool,
}

const THEMES: [(usize, Theme); 13] = [
    (4, Theme::Exceptions),
    (3, Theme::Texts),
    (3, Theme::Boxes),
    (3, Theme::Casts),
    (3, Theme::Numbers),
    (3, Theme::Initializers),
    (4, Theme::Monitors),
    (4, Theme::Waiting),
    (4, Theme::Flags),
    (3, Theme::Locks),
    (3, Theme::Atomics),
    (3, Theme::Order),
    (1, Theme::Pool),
];

pub(super) struct Generator {
    pub(super) rng: Rng,
    pub(super) program: Program,
    pub(super) themes: Vec<Theme>,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x6a61_7661);
    let count = 2 + rng.below(2);
    let themes = (0..count).filter_map(|_| rng.weighted(&THEMES)).collect();
    let name = format!("P{seed}");
    let program = Program { name, classes: Vec::new(), ranges: Vec::new(), next_id: 1 };
    let mut generator = Generator { rng, program, themes };
    generator.skeleton();
    generator.bodies();
    generator.ranges();
    prune(&mut generator.program);
    generator.program
}

fn field(name: &str, ty: Type) -> Field {
    Field {
        name: name.to_owned(),
        ty,
        of_class: false,
        volatile: false,
        constant: false,
        init: None,
        hidden: false,
    }
}

fn method(name: &str, params: &[Type], result: Option<Type>) -> Method {
    Method {
        name: name.to_owned(),
        params: params.to_vec(),
        result,
        of_class: false,
        synced: false,
        locals: params.to_vec(),
        body: Vec::new(),
        hidden: false,
    }
}

fn class(name: &str, nature: Nature) -> Class {
    Class {
        name: name.to_owned(),
        parent: None,
        nature,
        fields: Vec::new(),
        constructor: Vec::new(),
        methods: Vec::new(),
        hidden: false,
    }
}

pub(super) fn main_field(field: usize) -> Place {
    Place::Static(FieldId { class: MAIN, field })
}

pub(super) fn read(place: Place) -> Expr {
    Expr::Read(place)
}

impl Generator {
    pub(super) fn has(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    pub(super) fn stmt(&mut self, kind: Kind) -> Stmt {
        self.program.next_id += 1;
        Stmt { id: self.program.next_id, kind }
    }

    fn init(&mut self, class: usize, number: usize, value: Expr) {
        let place = Place::Static(FieldId { class, field: number });
        let stmt = self.stmt(Kind::Do(Expr::Assign(place, Box::new(value))));
        self.program.classes[class].fields[number].init = Some(stmt);
    }

    fn skeleton(&mut self) {
        let name = self.program.name.clone();
        self.program.classes = vec![
            class(&name, Nature::Main),
            class("H", Nature::Plain),
            class("A", Nature::Plain),
            class("B", Nature::Plain),
            class("T", Nature::Thread),
            class("R", Nature::Runnable),
        ];
        self.main_fields();
        self.helper();
        self.data();
        let data = Type::Ref(Cls::Own(DATA));
        for class in [WORKER, TASK] {
            let shared = &mut self.program.classes[class];
            shared.fields.push(field("a", data));
            shared.constructor = vec![0];
            shared.methods.push(method("run", &[], None));
        }
        let main = &mut self.program.classes[MAIN];
        for (name, params, result) in [
            ("f", vec![Type::Int], Some(Type::Int)),
            ("g", vec![], None),
            ("h", vec![data], Some(Type::Bool)),
            ("main", vec![], None),
        ] {
            main.methods.push(Method { of_class: true, ..method(name, &params, result) });
        }
        for number in 0..3 {
            let synced = self.rng.chance(15);
            self.program.classes[MAIN].methods[number].synced = synced;
        }
    }

    fn main_fields(&mut self) {
        use Type::{Bool, BoxBool, BoxInt, Int, Str};
        let library = |class| Type::Ref(class);
        let fields = [
            ("x", Int),
            ("y", Int),
            ("f", Bool),
            ("g", Bool),
            ("s", Str),
            ("n", BoxInt),
            ("q", BoxBool),
            ("a", Type::Ref(Cls::Own(DATA))),
            ("l", library(Cls::Object)),
            ("m", library(Cls::Object)),
            ("lock", library(Cls::Lock)),
            ("condition", library(Cls::Condition)),
            ("count", library(Cls::AtomicInt)),
            ("bit", library(Cls::AtomicBool)),
            ("cell", library(Cls::AtomicRef)),
            ("pool", library(Cls::Executor)),
            ("LIMIT", Int),
        ];
        let volatile = self.rng.chance(60);
        for (name, ty) in fields {
            let volatile = volatile && self.rng.chance(85);
            let made = Field { of_class: true, volatile, ..field(name, ty) };
            self.program.classes[MAIN].fields.push(made);
        }
        for (number, class) in [
            (at::L, Cls::Object),
            (at::M, Cls::Object),
            (at::LOCK, Cls::Lock),
            (at::CONDITION, Cls::Condition),
            (at::COUNT, Cls::AtomicInt),
            (at::BIT, Cls::AtomicBool),
            (at::CELL, Cls::AtomicRef),
            (at::POOL, Cls::Executor),
        ] {
            let args = match class {
                Cls::Condition => vec![read(main_field(at::LOCK))],
                Cls::AtomicInt if self.rng.chance(50) => vec![Expr::Int(1)],
                _ => Vec::new(),
            };
            self.settle(number, Expr::New(class, args));
        }
        self.settle(at::LIMIT, Expr::Int(2));
        self.beginnings();
    }

    fn settle(&mut self, number: usize, value: Expr) {
        self.init(MAIN, number, value);
        let field = &mut self.program.classes[MAIN].fields[number];
        (field.constant, field.volatile) = (true, false);
    }

    /// Some fields of the main class have initializers; one may use the helper.
    fn beginnings(&mut self) {
        for (number, value) in [
            (at::X, Expr::Int(1)),
            (at::F, Expr::Bool(true)),
            (at::S, Expr::Str("a".to_owned())),
            (at::N, Expr::Box(Box::new(Expr::Int(1)))),
            (at::Q, Expr::Box(Box::new(Expr::Bool(false)))),
            (at::A, Expr::New(Cls::Own(DATA), Vec::new())),
        ] {
            let likely = if matches!(number, at::X | at::F) { 45 } else { 85 };
            if self.rng.chance(likely) {
                self.init(MAIN, number, value);
            }
        }
        if self.has(Theme::Initializers) && self.rng.chance(40) {
            let helper = Place::Static(FieldId { class: HELPER, field: 0 });
            self.init(MAIN, at::X, read(helper));
        }
    }

    /// A class whose initializer reads and writes what the main class has.
    fn helper(&mut self) {
        let data = Type::Ref(Cls::Own(DATA));
        let fields = [("i", Type::Int), ("o", data), ("p", data), ("b", Type::Bool), ("SIZE", Type::Int)];
        let volatile = self.rng.chance(50);
        for (name, ty) in fields {
            let made = Field { of_class: true, volatile, ..field(name, ty) };
            self.program.classes[HELPER].fields.push(made);
        }
        let first = match self.rng.below(5) {
            0 => Expr::Int(1),
            1 => Expr::Bin(super::ast::Op::Add, Box::new(read(main_field(at::X))), Box::new(Expr::Int(1))),
            2 => Expr::Step { place: main_field(at::X), up: true, prefix: true },
            3 => Expr::Bin(super::ast::Op::Div, Box::new(Expr::Int(2)), Box::new(read(main_field(at::X)))),
            _ => read(main_field(at::X)),
        };
        self.init(HELPER, 0, first);
        self.init(HELPER, 1, Expr::New(Cls::Own(DATA), Vec::new()));
        self.init(HELPER, 2, read(main_field(at::A)));
        if self.rng.chance(50) {
            let set = Expr::Assign(main_field(at::F), Box::new(Expr::Bool(true)));
            self.init(HELPER, 3, set);
        }
        self.init(HELPER, 4, Expr::Int(2));
        let size = &mut self.program.classes[HELPER].fields[4];
        (size.constant, size.volatile) = (true, false);
        let made = Method { of_class: true, ..method("j", &[], Some(Type::Int)) };
        self.program.classes[HELPER].methods.push(made);
    }

    fn data(&mut self) {
        let data = Type::Ref(Cls::Own(DATA));
        let volatile = self.rng.chance(25);
        let fields = [
            Field { volatile, ..field("v", Type::Int) },
            field("w", Type::Bool),
            field("next", data),
            field("name", Type::Str),
        ];
        self.program.classes[DATA].fields.extend(fields);
        if self.rng.chance(30) {
            let place = Place::Field(Box::new(Expr::This), FieldId { class: DATA, field: 0 });
            let stmt = self.stmt(Kind::Do(Expr::Assign(place, Box::new(Expr::Int(1)))));
            self.program.classes[DATA].fields[0].init = Some(stmt);
        }
        let synced = self.rng.chance(65);
        let object = Type::Ref(Cls::Object);
        for (name, params, result) in [
            ("get", vec![], Some(Type::Int)),
            ("put", vec![Type::Int], None),
            ("take", vec![], None),
            ("give", vec![], None),
            ("toString", vec![], Some(Type::Str)),
            ("equals", vec![object], Some(Type::Bool)),
        ] {
            let plain = matches!(name, "toString" | "equals");
            let waits = matches!(name, "take" | "give");
            let synced = !plain && (if waits { self.rng.chance(95) } else { synced });
            let made = Method { synced, ..method(name, &params, result) };
            self.program.classes[DATA].methods.push(made);
        }
        self.program.classes[SUB].parent = Some(DATA);
        let made = Method { synced, ..method("get", &[], Some(Type::Int)) };
        self.program.classes[SUB].methods.push(made);
        if self.rng.chance(50) {
            let made = method("toString", &[], Some(Type::Str));
            self.program.classes[SUB].methods.push(made);
        }
    }

    /// Ranges for nearly all numbers; some are tight.
    fn ranges(&mut self) {
        let mut names: Vec<String> =
            ["x", "y", "i", "v", "count", "f", "j", "get"].map(str::to_owned).to_vec();
        for class in &self.program.classes {
            for method in &class.methods {
                let slots = method.locals.iter().enumerate();
                names.extend(slots.filter(|(_, ty)| **ty == Type::Int).map(|(s, &ty)| local(s, ty)));
            }
        }
        names.sort();
        names.dedup();
        for name in names {
            if self.rng.chance(4) {
                continue;
            }
            let tight = self.rng.chance(10);
            let (low, high) = if tight { (0, 1) } else { (-self.rng.between(0, 1) as i32, 3) };
            self.program.ranges.push((name, low, high));
        }
    }
}

pub(super) fn method_id(class: usize, name: &str, program: &Program) -> MethodId {
    let found = program.classes[class].methods.iter().position(|m| m.name == name);
    MethodId { class, method: found.unwrap_or(0) }
}
