//! Terms to bytecode. Alongside goes the interval of each value: it shows that 64 bits suffice and which wraps are idle.

use crate::code::{Base, Op, PatternCode};
use crate::constant::known;
use crate::layout::{Kind, Layout, NotFinite, Section, size_of};
use logic::{Binary, IntType, Sort, Term, Unary};
use std::collections::HashMap;
use system::state::Value;
use system::{Access, Expr, ObjectId, ObjectKind, Pattern, Place, Read, Root, System, TemplateId};

/// The least and the greatest value a term may have.
pub type Interval = (i128, i128);

/// Writes bytecode for one system.
pub struct Emitter<'a> {
    pub system: &'a System,
    pub layout: &'a Layout,
    pub constants: &'a HashMap<ObjectId, Value>,
    pub code: Vec<Op>,
    pub patterns: Vec<PatternCode>,
    /// The template whose code is written; `None` for the birth of globals.
    pub template: Option<TemplateId>,
}

/// Where a place lives: a known part of its offset, and whether code adds to it.
struct Address {
    base: Base,
    int: IntType,
    kind: Kind,
    /// `None` if the code emitted left the offset in the accumulator.
    fixed: Option<u32>,
}

impl Emitter<'_> {
    pub fn emit(&mut self, term: &Expr) -> Result<Interval, NotFinite> {
        if let Some(value) = self.fold(term) {
            self.code.push(Op::Const(value));
            return Ok((value.into(), value.into()));
        }
        match term {
            Term::Constant(value) => {
                self.code.push(Op::Const(*value));
                Ok(((*value).into(), (*value).into()))
            }
            Term::Atom(read) => self.read(read),
            Term::Unary(op, a) => self.unary(*op, a),
            Term::Binary(op, a, b) => self.binary(*op, a, b),
            Term::Conditional(parts) => self.conditional(parts),
            Term::Wrap(int, a) => {
                let inner = self.emit(a)?;
                Ok(self.wrap(*int, inner))
            }
        }
    }

    /// Blocks the transition unless the term holds.
    pub fn emit_guard(&mut self, term: &Expr) -> Result<(), NotFinite> {
        match term {
            Term::Binary(Binary::And, a, b) => {
                self.emit_guard(a)?;
                self.emit_guard(b)
            }
            _ if self.fold(term).is_some_and(|v| v != 0) => Ok(()),
            _ => {
                self.emit(term)?;
                self.code.push(Op::BlockIfZero);
                Ok(())
            }
        }
    }

    /// Wraps the accumulator unless its interval already fits.
    pub fn wrap(&mut self, int: IntType, inner: Interval) -> Interval {
        let range = range(int);
        if inner.0 >= range.0 && inner.1 <= range.1 {
            return inner;
        }
        self.code.push(Op::Wrap(int));
        range
    }

    fn fold(&self, term: &Expr) -> Option<i64> {
        match term {
            Term::Constant(c) => Some(*c),
            Term::Atom(Read::Place(place)) => known(self.constants, place),
            Term::Atom(Read::Handle(Root::Global(object))) => {
                self.layout.globals.channel_of[*object].map(|k| k as i64 + 1)
            }
            _ => None,
        }
    }

    fn unary(&mut self, op: Unary, a: &Expr) -> Result<Interval, NotFinite> {
        let (low, high) = self.emit(a)?;
        match op {
            Unary::Negate => {
                self.code.push(Op::Negate);
                fits((-high, -low))
            }
            Unary::Complement => {
                self.code.push(Op::Complement);
                fits((-high - 1, -low - 1))
            }
            Unary::Not => {
                self.code.push(Op::Not);
                Ok((0, 1))
            }
        }
    }

    fn binary(&mut self, op: Binary, a: &Expr, b: &Expr) -> Result<Interval, NotFinite> {
        if matches!(op, Binary::And | Binary::Or) {
            return self.shortcut(op, a, b);
        }
        let left = self.emit(a)?;
        if let Some(constant) = self.fold(b).and_then(|c| i32::try_from(c).ok())
            && let Some(fused) = fuse(op, constant)
        {
            self.code.push(fused);
            return interval(op, left, (constant.into(), constant.into()));
        }
        self.code.push(Op::Push);
        let right = self.emit(b)?;
        self.code.push(Op::Binary(op));
        interval(op, left, right)
    }

    fn shortcut(&mut self, op: Binary, a: &Expr, b: &Expr) -> Result<Interval, NotFinite> {
        self.emit(a)?;
        let jump = self.code.len();
        self.code.push(Op::Done);
        self.emit(b)?;
        let end = self.here();
        self.code[jump] = if op == Binary::And { Op::JumpIfZero(end) } else { Op::JumpUnlessZero(end) };
        self.code.push(Op::Truth);
        Ok((0, 1))
    }

    fn conditional(&mut self, parts: &[Expr; 3]) -> Result<Interval, NotFinite> {
        self.emit(&parts[0])?;
        let to_else = self.code.len();
        self.code.push(Op::Done);
        let then = self.emit(&parts[1])?;
        let to_end = self.code.len();
        self.code.push(Op::Done);
        self.code[to_else] = Op::JumpIfZero(self.here());
        let otherwise = self.emit(&parts[2])?;
        self.code[to_end] = Op::Jump(self.here());
        Ok((then.0.min(otherwise.0), then.1.max(otherwise.1)))
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn read(&mut self, read: &Read) -> Result<Interval, NotFinite> {
        let byte = (0, 255);
        let plain = |op, interval| (None, op, interval);
        let (argument, op, interval) = match read {
            Read::Place(place) => return self.read_place(place),
            Read::Poll { channel, patterns, anywhere } => return self.poll(channel, patterns, *anywhere),
            Read::Handle(root) => plain(Op::LocalHandle(self.local_channel(root)), byte),
            Read::Myself => plain(Op::Myself, byte),
            Read::Instance(template) => plain(Op::Instance(*template as u8), (-1, 255)),
            Read::ProcessCount => plain(Op::ProcessCount, byte),
            Read::Last => plain(Op::Last, byte),
            Read::Timeout => plain(Op::Timeout, (0, 1)),
            Read::NonProgress => plain(Op::NonProgress, (0, 1)),
            Read::Enabled(p) => (Some(p), Op::Enabled, (0, 1)),
            Read::ControlPoint(p) => (Some(p), Op::ControlPoint, (0, 65_535)),
            Read::At { process, template, point } => {
                (Some(process), Op::At { template: *template as u8, point: *point as u16 }, (0, 1))
            }
            Read::Priority(p) => (Some(p), Op::Priority, byte),
            Read::Length(c) => return self.ask_channel(c, Op::Length, (0, 65_535)),
            Read::Empty(c) => return self.ask_channel(c, Op::Empty, (0, 1)),
            Read::Full(c) => return self.ask_channel(c, Op::Full, (0, 1)),
        };
        if let Some(argument) = argument {
            self.emit(argument)?;
        }
        self.code.push(op);
        Ok(interval)
    }

    fn local_channel(&self, root: &Root) -> u8 {
        let (Root::Local(object) | Root::Remote { object, .. } | Root::Global(object)) = root;
        let section = self.template.map(|t| &self.layout.frames[t]);
        section.and_then(|s| s.channel_of[*object]).unwrap_or(0) as u8
    }

    fn ask_channel(&mut self, channel: &Expr, op: Op, interval: Interval) -> Result<Interval, NotFinite> {
        self.open(channel)?;
        self.code.push(op);
        Ok(interval)
    }

    /// Opens a channel, at compile time if its handle is known.
    pub fn open(&mut self, channel: &Expr) -> Result<(), NotFinite> {
        match self.fold(channel) {
            Some(handle) if handle >= 1 && handle as usize <= self.layout.globals.channels.len() => {
                self.code.push(Op::OpenGlobal(handle as u16 - 1));
            }
            _ => {
                self.emit(channel)?;
                self.code.push(Op::Open);
            }
        }
        Ok(())
    }

    fn poll(&mut self, channel: &Expr, patterns: &[Pattern], anywhere: bool) -> Result<Interval, NotFinite> {
        let pattern = self.push_patterns(patterns, anywhere, true)?;
        self.open(channel)?;
        self.code.push(Op::Poll { pattern });
        Ok((0, 1))
    }

    /// Pushes what the patterns want and registers their shape.
    pub fn push_patterns(
        &mut self,
        patterns: &[Pattern],
        anywhere: bool,
        copy: bool,
    ) -> Result<u16, NotFinite> {
        let mut matched = Vec::new();
        for (k, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(term) = pattern {
                self.emit(term)?;
                self.code.push(Op::Push);
                matched.push(k as u8);
            }
        }
        self.patterns.push(PatternCode { fields: patterns.len(), matched, anywhere, copy });
        Ok((self.patterns.len() - 1) as u16)
    }

    fn read_place(&mut self, place: &Place) -> Result<Interval, NotFinite> {
        let address = self.address(place)?;
        match (&place.root, address.fixed) {
            (Root::Remote { process, template, .. }, fixed) => {
                if let Some(offset) = fixed {
                    self.code.push(Op::Const(offset.into()));
                }
                self.code.push(Op::Push);
                self.emit(process)?;
                self.code.push(Op::RemoteLoad { template: *template as u8, kind: address.kind });
                let (low, high) = range(address.int);
                return Ok((low.min(0), high.max(0)));
            }
            (_, None) => self.code.push(Op::LoadAt(address.base, address.kind)),
            (_, Some(offset)) => self.code.push(match (address.base, address.kind) {
                (Base::State, Kind::U8) => Op::GlobalU8(offset),
                (Base::Frame, Kind::U8) => Op::LocalU8(offset),
                (base, kind) => Op::Load(base, kind, offset),
            }),
        }
        Ok(range(address.int))
    }

    /// Stores what `value` leaves in the accumulator in a place.
    pub fn store(
        &mut self,
        place: &Place,
        value: impl FnOnce(&mut Self) -> Result<Interval, NotFinite>,
    ) -> Result<(), NotFinite> {
        let address = self.address(place)?;
        if address.fixed.is_none() {
            self.code.push(Op::Push);
        }
        let interval = value(self)?;
        self.wrap(address.int, interval);
        self.code.push(match (address.fixed, address.base, address.kind) {
            (None, base, kind) => Op::StoreAt(base, kind),
            (Some(offset), Base::State, Kind::U8) => Op::StoreGlobalU8(offset),
            (Some(offset), Base::Frame, Kind::U8) => Op::StoreLocalU8(offset),
            (Some(offset), base, kind) => Op::Store(base, kind, offset),
        });
        Ok(())
    }

    fn section(&self, root: &Root) -> (&Section, &[system::Object], ObjectId, Base) {
        match root {
            Root::Global(o) => (&self.layout.globals, &self.system.globals, *o, Base::State),
            Root::Local(o) => {
                let t = self.template.unwrap_or(0);
                (&self.layout.frames[t], &self.system.templates[t].objects, *o, Base::Frame)
            }
            Root::Remote { template: t, object, .. } => {
                (&self.layout.frames[*t], &self.system.templates[*t].objects, *object, Base::Frame)
            }
        }
    }

    /// Finds a place; leaves the offset in the accumulator if it is not fixed.
    fn address(&mut self, place: &Place) -> Result<Address, NotFinite> {
        let (section, objects, object, base) = self.section(&place.root);
        let mut fixed = section.offsets[object];
        let unbounded = NotFinite::Unbounded { name: objects[object].name.clone() };
        let ObjectKind::Variable { sort, .. } = &objects[object].kind else { return Err(unbounded) };
        let mut sort = sort.clone();
        let mut dynamic = false;
        for access in &place.path {
            let (inner, step) = self.step_into(&sort, access)?;
            match step {
                Step::Fixed(offset) => fixed += offset,
                Step::Dynamic { term, length, stride } => {
                    self.code.push(if dynamic {
                        Op::AddConst(fixed as i32)
                    } else {
                        Op::Const(fixed.into())
                    });
                    self.code.push(Op::Push);
                    self.emit(&term)?;
                    self.code.push(Op::Index { length, stride });
                    dynamic = true;
                    fixed = 0;
                }
            }
            sort = inner;
        }
        if dynamic && fixed > 0 {
            self.code.push(Op::AddConst(fixed as i32));
        }
        let int = sort.machine().ok_or(unbounded.clone())?;
        let kind = Kind::of(int).ok_or(unbounded)?;
        Ok(Address { base, int, kind, fixed: (!dynamic).then_some(fixed) })
    }

    fn step_into(&self, sort: &Sort, access: &Access) -> Result<(Sort, Step), NotFinite> {
        let broken = || NotFinite::TooLarge { what: "a place that its type does not have".into() };
        match (sort, access) {
            (Sort::Record(fields), Access::Field(k)) => {
                let before = fields.iter().take(*k).map(|(_, s)| size_of(s).unwrap_or(0)).sum::<usize>();
                let inner = fields.get(*k).ok_or_else(broken)?.1.clone();
                Ok((inner, Step::Fixed(before as u32)))
            }
            (Sort::Array(element, length), access) => {
                let stride = size_of(element).unwrap_or(0) as u32;
                let (constant, term) = match access {
                    Access::Field(k) => (Some(*k as i64), Term::Constant(*k as i64)),
                    Access::Index(term) => (self.fold(term), term.clone()),
                };
                let step = match constant.and_then(|c| usize::try_from(c).ok()) {
                    Some(index) if index < *length => Step::Fixed(index as u32 * stride),
                    _ => Step::Dynamic { term, length: *length as u32, stride },
                };
                Ok((element.as_ref().clone(), step))
            }
            _ => Err(broken()),
        }
    }
}

enum Step {
    Fixed(u32),
    Dynamic { term: Expr, length: u32, stride: u32 },
}

pub fn range(int: IntType) -> Interval {
    let bits = u32::from(int.bits);
    if int.signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn fits(interval: Interval) -> Result<Interval, NotFinite> {
    if interval.0 < i64::MIN.into() || interval.1 > i64::MAX.into() {
        return Err(NotFinite::Overflow { text: "an expression".into() });
    }
    Ok(interval)
}

fn fuse(op: Binary, constant: i32) -> Option<Op> {
    Some(match op {
        Binary::Add => Op::AddConst(constant),
        Binary::Subtract => Op::AddConst(constant.checked_neg()?),
        Binary::Equal => Op::EqualConst(constant),
        Binary::NotEqual => Op::NotEqualConst(constant),
        Binary::Less => Op::LessConst(constant),
        _ => return None,
    })
}

/// The interval of a result, from those of the operands.
fn interval(op: Binary, a: Interval, b: Interval) -> Result<Interval, NotFinite> {
    let widest = a.0.abs().max(a.1.abs()).max(b.0.abs()).max(b.1.abs());
    let bits = 128 - widest.leading_zeros();
    let cover = (-(1i128 << bits.min(100)), (1i128 << bits.min(100)) - 1);
    fits(match op {
        Binary::Add => (a.0 + b.0, a.1 + b.1),
        Binary::Subtract => (a.0 - b.1, a.1 - b.0),
        Binary::Multiply => {
            let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            (products.into_iter().min().unwrap_or(0), products.into_iter().max().unwrap_or(0))
        }
        Binary::Divide | Binary::Remainder => (-widest, widest),
        Binary::BitAnd if a.0 >= 0 || b.0 >= 0 => {
            let highs = [a, b].into_iter().filter(|i| i.0 >= 0).map(|i| i.1);
            (0, highs.min().unwrap_or(0))
        }
        Binary::BitOr | Binary::BitXor if a.0 >= 0 && b.0 >= 0 => (0, cover.1),
        Binary::BitAnd | Binary::BitOr | Binary::BitXor => cover,
        Binary::ShiftLeft => {
            let by = b.1.clamp(0, 64) as u32;
            (cover.0.saturating_mul(1 << by), cover.1.saturating_mul(1 << by))
        }
        Binary::ShiftRight => cover,
        _ => (0, 1),
    })
}
