//! Random expressions of a type, over what is in sight.

use super::ast::{Atomic, Cls, Expr, FieldId, MethodId, Op, Place, Type};
use super::generate::{DATA, Generator, HELPER, MAIN, SUB, Theme, at, main_field, method_id, read};

/// Where an expression or a statement stands.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub class: usize,
    pub of_class: bool,
    /// Types of all locals of the method, and those in sight.
    pub locals: Vec<Type>,
    pub seen: Vec<usize>,
    /// Calls may go only to methods of lower levels.
    pub level: usize,
    pub in_loop: bool,
    pub result: Option<Type>,
}

const DATA_TYPE: Type = Type::Ref(Cls::Own(DATA));

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

fn bin(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::Bin(op, boxed(a), boxed(b))
}

impl Generator {
    /// A variable of the type, or none.
    pub(super) fn place(&mut self, ty: Type, scope: &Scope) -> Option<Place> {
        let mut places: Vec<(usize, Place)> = Vec::new();
        for &slot in scope.seen.iter().filter(|&&slot| scope.locals[slot] == ty) {
            places.push((3, Place::Local(slot)));
        }
        let statics: &[(usize, Option<Theme>)] = match ty {
            Type::Int => &[(at::X, None), (at::Y, None)],
            Type::Bool => &[(at::F, None), (at::G, None)],
            Type::Str => &[(at::S, None)],
            Type::BoxInt => &[(at::N, None)],
            Type::BoxBool => &[(at::Q, None)],
            _ if ty == DATA_TYPE => &[(at::A, None)],
            _ => &[],
        };
        places.extend(statics.iter().map(|(field, _)| (3, main_field(*field))));
        if self.has(Theme::Initializers) {
            let field = match ty {
                Type::Int => Some(0),
                Type::Bool => Some(3),
                _ if ty == DATA_TYPE => Some(1 + self.rng.below(2)),
                _ => None,
            };
            let of = |field| (4, Place::Static(FieldId { class: HELPER, field }));
            places.extend(field.map(of));
        }
        let inside = match ty {
            Type::Int => Some(0),
            Type::Bool => Some(1),
            Type::Str => Some(3),
            _ if ty == DATA_TYPE => Some(2),
            _ => None,
        };
        if let Some(field) = inside
            && self.rng.chance(60)
        {
            let on = self.data_object(scope);
            places.push((4, Place::Field(boxed(on), FieldId { class: DATA, field })));
        }
        let weights: Vec<(usize, usize)> =
            places.iter().enumerate().map(|(n, (weight, _))| (*weight, n)).collect();
        let chosen = self.rng.weighted(&weights)?;
        Some(places.swap_remove(chosen).1)
    }

    /// An object with fields: `this`, a local, or a field.
    pub(super) fn data_object(&mut self, scope: &Scope) -> Expr {
        if scope.class == DATA && !scope.of_class && self.rng.chance(80) {
            return Expr::This;
        }
        let local = scope.seen.iter().find(|&&slot| scope.locals[slot] == DATA_TYPE).copied();
        let field = matches!(scope.class, super::generate::WORKER | super::generate::TASK);
        match (local, field) {
            (Some(slot), _) if self.rng.chance(60) => read(Place::Local(slot)),
            (_, true) if self.rng.chance(70) => {
                let id = FieldId { class: scope.class, field: 0 };
                read(Place::Field(boxed(Expr::This), id))
            }
            _ => read(main_field(at::A)),
        }
    }

    pub(super) fn expr(&mut self, ty: Type, depth: usize, scope: &Scope) -> Expr {
        if depth == 0 {
            return self.leaf(ty, scope);
        }
        match ty {
            Type::Int => self.int(depth, scope),
            Type::Bool => self.bool(depth, scope),
            Type::Str => self.string(depth, scope),
            Type::BoxInt if self.rng.chance(50) => {
                let int = self.expr(Type::Int, depth - 1, scope);
                Expr::Box(boxed(int))
            }
            Type::BoxBool if self.rng.chance(50) => {
                let bool = self.expr(Type::Bool, depth - 1, scope);
                Expr::Box(boxed(bool))
            }
            _ if ty == DATA_TYPE => self.reference(depth, scope),
            _ => self.leaf(ty, scope),
        }
    }

    fn leaf(&mut self, ty: Type, scope: &Scope) -> Expr {
        let literal = |generator: &mut Generator| match ty {
            Type::Int if generator.rng.chance(10) => {
                let class = if generator.rng.chance(50) { MAIN } else { HELPER };
                let field = if class == MAIN { at::LIMIT } else { 4 };
                Expr::Constant(FieldId { class, field }, 2)
            }
            Type::Int if generator.rng.chance(20) => Expr::Int(2),
            Type::Int => Expr::Int(generator.rng.between(0, 1) as i32),
            Type::Bool => Expr::Bool(generator.rng.chance(50)),
            Type::Str if generator.rng.chance(80) => Expr::Str("b".to_owned()),
            Type::BoxInt if generator.rng.chance(80) => Expr::Box(boxed(Expr::Int(1))),
            Type::BoxBool if generator.rng.chance(80) => Expr::Box(boxed(Expr::Bool(true))),
            _ if ty == DATA_TYPE && generator.rng.chance(85) => {
                let class = if generator.rng.chance(60) { DATA } else { SUB };
                Expr::New(Cls::Own(class), Vec::new())
            }
            _ => Expr::Null,
        };
        let text = matches!(ty, Type::Str | Type::BoxInt | Type::BoxBool);
        if self.rng.chance(if text { 60 } else { 40 }) {
            return literal(self);
        }
        match self.place(ty, scope) {
            Some(place) => read(place),
            None => literal(self),
        }
    }

    fn int(&mut self, depth: usize, scope: &Scope) -> Expr {
        let mut kinds = vec![(5, 0), (3, 1)];
        let add = |kinds: &mut Vec<(usize, u8)>, there: bool, what: &[(usize, u8)]| {
            if there {
                kinds.extend(what);
            }
        };
        add(&mut kinds, self.has(Theme::Numbers), &[(6, 2), (2, 3)]);
        add(&mut kinds, self.has(Theme::Boxes), &[(6, 4)]);
        add(&mut kinds, self.has(Theme::Texts), &[(4, 5)]);
        add(&mut kinds, self.has(Theme::Atomics), &[(6, 6)]);
        add(&mut kinds, self.has(Theme::Order), &[(4, 7), (4, 8), (2, 9)]);
        add(&mut kinds, scope.level > 1, &[(3, 10)]);
        add(&mut kinds, scope.level > 2, &[(2, 11)]);
        let d = depth - 1;
        match self.rng.weighted(&kinds) {
            Some(1) => {
                let op = *self.rng.pick(&[Op::Add, Op::Sub, Op::Mul]).unwrap_or(&Op::Add);
                bin(op, self.expr(Type::Int, d, scope), self.expr(Type::Int, d, scope))
            }
            Some(2) => {
                let op = if self.rng.chance(60) { Op::Div } else { Op::Rem };
                bin(op, self.expr(Type::Int, d, scope), self.expr(Type::Int, d, scope))
            }
            Some(3) => Expr::Neg(boxed(self.leaf(Type::Int, scope))),
            Some(4) => self.unboxed(Type::Int, d, scope),
            Some(5) => match self.place(Type::Str, scope) {
                Some(place) => Expr::Length(boxed(read(place))),
                None => Expr::Int(1),
            },
            Some(6) => {
                let ops = [
                    Atomic::Get,
                    Atomic::GetAndIncrement,
                    Atomic::IncrementAndGet,
                    Atomic::DecrementAndGet,
                    Atomic::GetAndSet,
                ];
                let op = *self.rng.pick(&ops).unwrap_or(&Atomic::Get);
                let args = if op == Atomic::GetAndSet { vec![Expr::Int(2)] } else { Vec::new() };
                Expr::Atomic(op, boxed(read(main_field(at::COUNT))), args)
            }
            Some(7) => self.assignment(Type::Int, d, scope),
            Some(8) => self.step(scope),
            Some(9) => {
                let test = self.expr(Type::Bool, d, scope);
                let (a, b) = (self.leaf(Type::Int, scope), self.leaf(Type::Int, scope));
                Expr::Choose(boxed(test), boxed(a), boxed(b))
            }
            Some(10) if self.has(Theme::Initializers) && self.rng.chance(50) => {
                Expr::Static(method_id(HELPER, "j", &self.program), Vec::new())
            }
            Some(10) => {
                let on = self.data_object(scope);
                Expr::Call(boxed(on), method_id(DATA, "get", &self.program), Vec::new())
            }
            Some(11) => {
                let arg = self.leaf(Type::Int, scope);
                Expr::Static(method_id(MAIN, "f", &self.program), vec![arg])
            }
            _ => self.leaf(Type::Int, scope),
        }
    }

    fn unboxed(&mut self, to: Type, depth: usize, scope: &Scope) -> Expr {
        let from = if to == Type::Int { Type::BoxInt } else { Type::BoxBool };
        let of = match self.place(from, scope) {
            Some(place) => read(place),
            None => self.expr(from, depth, scope),
        };
        // `null` and a literal have no methods.
        if !matches!(of, Expr::Read(_)) {
            return self.leaf(to, scope);
        }
        Expr::Unbox { of: boxed(of), to, written: self.rng.chance(20) }
    }

    pub(super) fn assignment(&mut self, ty: Type, depth: usize, scope: &Scope) -> Expr {
        match self.place(ty, scope) {
            Some(place) => {
                let value = self.expr(ty, depth, scope);
                Expr::Assign(place, boxed(value))
            }
            None => self.leaf(ty, scope),
        }
    }

    pub(super) fn step(&mut self, scope: &Scope) -> Expr {
        match self.place(Type::Int, scope) {
            Some(place) => {
                let (up, prefix) = (self.rng.chance(65), self.rng.chance(50));
                Expr::Step { place, up, prefix }
            }
            None => Expr::Int(1),
        }
    }

    fn bool(&mut self, depth: usize, scope: &Scope) -> Expr {
        let mut kinds = vec![(4, 0), (3, 1), (2, 2), (2, 3), (2, 4)];
        let add = |kinds: &mut Vec<(usize, u8)>, there: bool, what: &[(usize, u8)]| {
            if there {
                kinds.extend(what);
            }
        };
        add(&mut kinds, self.has(Theme::Boxes), &[(4, 5), (2, 6)]);
        add(&mut kinds, self.has(Theme::Texts), &[(3, 7), (2, 8)]);
        add(&mut kinds, self.has(Theme::Casts), &[(4, 9), (3, 10)]);
        add(&mut kinds, self.has(Theme::Atomics), &[(3, 11), (3, 12)]);
        add(&mut kinds, self.has(Theme::Order), &[(3, 13), (2, 14)]);
        add(&mut kinds, scope.level > 2, &[(2, 15)]);
        let d = depth - 1;
        let null = |place: Option<Place>, op: Op| match place {
            Some(place) => bin(op, read(place), Expr::Null),
            None => Expr::Bool(true),
        };
        let op = if self.rng.chance(50) { Op::Eq } else { Op::Ne };
        match self.rng.weighted(&kinds) {
            Some(1) => {
                let op = *self.rng.pick(&[Op::Eq, Op::Ne, Op::Lt, Op::Le]).unwrap_or(&Op::Eq);
                bin(op, self.expr(Type::Int, d, scope), self.leaf(Type::Int, scope))
            }
            Some(2) => Expr::Not(boxed(self.leaf_bool(scope))),
            Some(3) => {
                let op = if self.rng.chance(50) { Op::And } else { Op::Or };
                bin(op, self.expr(Type::Bool, d, scope), self.expr(Type::Bool, d, scope))
            }
            Some(4) => {
                let place = self.place(DATA_TYPE, scope);
                null(place, op)
            }
            Some(5) => self.unboxed(Type::Bool, d, scope),
            Some(6) => {
                let place = self.place(Type::BoxInt, scope);
                null(place, op)
            }
            Some(7) => {
                let place = self.place(Type::Str, scope);
                null(place, op)
            }
            Some(8) => match self.place(Type::Str, scope) {
                Some(place) => Expr::Equals(boxed(read(place)), boxed(Expr::Str("a".to_owned()))),
                None => Expr::Bool(true),
            },
            Some(9) => {
                let on = self.data_object(scope);
                Expr::InstanceOf(boxed(on), Cls::Own(SUB))
            }
            Some(10) => {
                let on = self.data_object(scope);
                let other = self.data_object(scope);
                Expr::Equals(boxed(on), boxed(other))
            }
            Some(11) => Expr::Atomic(Atomic::Get, boxed(read(main_field(at::BIT))), Vec::new()),
            Some(12) => self.compare_and_set(),
            Some(13) => self.assignment(Type::Bool, d, scope),
            Some(14) => {
                let op = if self.rng.chance(50) { Op::Both } else { Op::Xor };
                bin(op, self.leaf_bool(scope), self.leaf_bool(scope))
            }
            Some(15) => {
                let arg = self.data_object(scope);
                Expr::Static(method_id(MAIN, "h", &self.program), vec![arg])
            }
            _ => self.leaf(Type::Bool, scope),
        }
    }

    fn leaf_bool(&mut self, scope: &Scope) -> Expr {
        self.leaf(Type::Bool, scope)
    }

    pub(super) fn compare_and_set(&mut self) -> Expr {
        let (on, from, to) = match self.rng.below(2) {
            0 => (at::COUNT, Expr::Int(self.rng.between(0, 1) as i32), Expr::Int(2)),
            _ => (at::BIT, Expr::Bool(false), Expr::Bool(true)),
        };
        Expr::Atomic(Atomic::CompareAndSet, boxed(read(main_field(on))), vec![from, to])
    }

    fn string(&mut self, depth: usize, scope: &Scope) -> Expr {
        match self.rng.below(5) {
            0 => {
                let ty =
                    *self.rng.pick(&[DATA_TYPE, Type::Int, Type::Str, Type::BoxInt]).unwrap_or(&Type::Str);
                let part = match ty {
                    Type::Int => self.leaf(ty, scope),
                    _ if ty == DATA_TYPE => self.data_object(scope),
                    _ => self.place(ty, scope).map_or(Expr::Str("c".to_owned()), read),
                };
                Expr::Concat(boxed(Expr::Str("a".to_owned())), boxed(part))
            }
            1 if depth > 0 && scope.class != DATA && scope.class != SUB => {
                let on = self.data_object(scope);
                Expr::ToString(boxed(on))
            }
            _ => self.leaf(Type::Str, scope),
        }
    }

    fn reference(&mut self, depth: usize, scope: &Scope) -> Expr {
        if self.has(Theme::Casts) && self.rng.chance(35) {
            let of = self.data_object(scope);
            return Expr::Cast(Cls::Own(SUB), boxed(of));
        }
        if self.has(Theme::Order) && self.rng.chance(30) {
            return self.assignment(DATA_TYPE, depth - 1, scope);
        }
        self.leaf(DATA_TYPE, scope)
    }

    pub(super) fn of_main(&self, name: &str) -> MethodId {
        method_id(MAIN, name, &self.program)
    }
}
