//! Expressions as instructions, operands from left to right.
//!
//! Visible operations are numbered in the order in which `print_expr` numbers them.

use super::ast::{Atomic, Cls, Expr, FieldId, Op, Place};
use super::code::{Instr, Value};
use super::compile::Compiler;
use super::print::has_initializer;

static ONE: Expr = Expr::Int(1);

impl<'a> Compiler<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Null => self.push(Value::Null),
            Expr::Int(i) | Expr::Constant(_, i) => self.push(Value::Int(*i)),
            Expr::Bool(b) => self.push(Value::Bool(*b)),
            Expr::Str(s) => self.push(Value::Str(s.as_str().into())),
            Expr::This => self.then(Instr::Load(0)),
            Expr::Read(place) => self.read(place),
            Expr::New(class, args) => self.create(*class, args),
            Expr::Bin(op, a, b) => self.binary(*op, a, b),
            Expr::Not(a) => self.of(&[a], Instr::Not),
            Expr::Neg(a) => self.of(&[a], Instr::Neg),
            Expr::Choose(test, yes, no) => self.choose(test, yes, no),
            Expr::Assign(place, value) => self.assign(place, value),
            Expr::Compound(op, place, value) => self.compound(*op, place, value, true),
            Expr::Step { place, up, prefix } => {
                let op = if *up { Op::Add } else { Op::Sub };
                self.compound(op, place, &ONE, *prefix);
            }
            Expr::Static(id, args) => {
                args.iter().for_each(|a| self.expr(a));
                let method = self.program().method(*id);
                let late = id.class != 0 && has_initializer(self.program(), id.class);
                self.emit_if(method.synced || late, Instr::Static(*id));
            }
            Expr::Call(on, id, args) => {
                self.expr(on);
                args.iter().for_each(|a| self.expr(a));
                let synced = self.program().method(*id).synced;
                self.emit_if(synced, Instr::Call(*id));
            }
            Expr::Cast(class, a) => self.of(&[a], Instr::Cast(*class)),
            Expr::InstanceOf(a, class) => self.of(&[a], Instr::InstanceOf(*class)),
            Expr::Box(a) => self.expr(a),
            Expr::Unbox { of, .. } => self.of(&[of], Instr::Unbox),
            Expr::Concat(a, b) => {
                self.of(&[a], Instr::Text);
                self.of(&[b], Instr::Text);
                self.quiet(Instr::Concat);
            }
            Expr::Length(a) => self.of(&[a], Instr::Length),
            Expr::Equals(a, b) => self.of(&[a, b], Instr::Equals),
            Expr::ToString(a) => self.of(&[a], Instr::ToString),
            Expr::Atomic(what, on, args) => self.atomic(*what, on, args),
            Expr::TryLock(on) => {
                self.expr(on);
                self.visible(Instr::TryLock);
            }
        }
    }

    fn push(&mut self, value: Value) {
        self.quiet(Instr::Push(value));
    }

    fn then(&mut self, instr: Instr) {
        self.quiet(instr);
    }

    fn of(&mut self, operands: &[&'a Expr], instr: Instr) {
        operands.iter().for_each(|operand| self.expr(operand));
        self.quiet(instr);
    }

    fn emit_if(&mut self, visible: bool, instr: Instr) {
        if visible {
            self.visible(instr)
        } else {
            self.quiet(instr)
        };
    }

    fn create(&mut self, class: Cls, args: &'a [Expr]) {
        // The class is initialized before the arguments are evaluated.
        if let Cls::Own(own) = class
            && has_initializer(self.program(), own)
        {
            self.visible(Instr::Initialize(own));
        }
        args.iter().for_each(|a| self.expr(a));
        self.quiet(Instr::New(class, args.len()));
    }

    fn binary(&mut self, op: Op, a: &'a Expr, b: &'a Expr) {
        self.expr(a);
        if !matches!(op, Op::And | Op::Or) {
            self.expr(b);
            self.quiet(Instr::Bin(op));
            return;
        }
        self.quiet(Instr::Dup);
        let short = self.quiet(Instr::Branch(op == Op::Or, 0));
        self.quiet(Instr::Pop);
        self.expr(b);
        self.patch(short);
    }

    fn choose(&mut self, test: &'a Expr, yes: &'a Expr, no: &'a Expr) {
        self.expr(test);
        let to_no = self.quiet(Instr::Branch(false, 0));
        self.expr(yes);
        let to_end = self.quiet(Instr::Jump(0));
        self.patch(to_no);
        self.expr(no);
        self.patch(to_end);
    }

    fn get(&mut self, field: FieldId, instr: Instr) {
        let quiet = self.is_quiet(field);
        self.emit_if(!quiet, instr);
    }

    fn read(&mut self, place: &'a Place) {
        match place {
            Place::Local(slot) => self.then(Instr::Load(slot + 1)),
            Place::Static(field) => self.get(*field, Instr::GetStatic(*field)),
            Place::Field(on, field) => {
                self.expr(on);
                self.visible(Instr::GetField(*field));
            }
        }
    }

    fn assign(&mut self, place: &'a Place, value: &'a Expr) {
        if let Place::Field(on, _) = place {
            self.expr(on);
        }
        self.expr(value);
        self.check_place(place);
        self.store(place);
    }

    /// Stores the top of the stack, which stays as the value of the expression.
    fn store(&mut self, place: &'a Place) {
        match place {
            Place::Local(slot) => {
                self.quiet(Instr::Dup);
                self.quiet(Instr::Store(slot + 1));
            }
            Place::Static(field) => {
                self.quiet(Instr::Dup);
                self.visible(Instr::PutStatic(*field));
            }
            Place::Field(_, field) => {
                self.quiet(Instr::DupX1);
                self.visible(Instr::PutField(*field));
            }
        }
    }

    /// `place op= value`; what is left is the new value, or the old one.
    fn compound(&mut self, op: Op, place: &'a Place, value: &'a Expr, new: bool) {
        match place {
            Place::Local(slot) => self.then(Instr::Load(slot + 1)),
            Place::Static(field) => {
                self.visible(Instr::GetStatic(*field));
            }
            Place::Field(on, field) => {
                self.expr(on);
                self.quiet(Instr::Dup);
                self.visible(Instr::GetField(*field));
            }
        }
        if !new {
            // The old value lies below everything that follows.
            let below = if matches!(place, Place::Field(..)) { Instr::DupX1 } else { Instr::Dup };
            self.quiet(below);
        }
        self.expr(value);
        self.quiet(Instr::Bin(op));
        self.check_place(place);
        self.store(place);
        if !new {
            self.quiet(Instr::Pop);
        }
    }

    fn atomic(&mut self, what: Atomic, on: &'a Expr, args: &'a [Expr]) {
        self.expr(on);
        args.iter().for_each(|a| self.expr(a));
        let range = self.atomic_range(on);
        self.visible(Instr::Atomic(what, range));
    }
}
