//! Terms to bytecode. Alongside goes the interval of each value: it shows that 64 bits suffice and
//! which wraps are idle.

use crate::code::{Base, Op, PatternCode, Test};
use crate::constant::known;
use crate::layout::{ChannelLayout, Kind, Layout, NotFinite};
use logic::{Binary, IntType, Term, Unary};
use std::collections::HashMap;
use system::state::Value;
use system::{Expr, ObjectId, Pattern, ProcessTypeId, Read, Root, System};

/// The least and the greatest value a term may have.
pub type Interval = (i128, i128);

/// Writes bytecode for one system.
pub struct Emitter<'a> {
    pub system: &'a System,
    pub layout: &'a Layout,
    pub constants: &'a HashMap<ObjectId, Value>,
    pub code: Vec<Op>,
    pub patterns: Vec<PatternCode>,
    /// The process type whose code is written; `None` for the creation of globals.
    pub process_type: Option<ProcessTypeId>,
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

    /// Code that is done if the proposition holds and blocks if not.
    pub fn proposition(&mut self, term: &Expr) -> Result<u32, NotFinite> {
        let start = self.here();
        self.emit_guard(term)?;
        self.code.push(Op::Done);
        Ok(start)
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
                let start = self.code.len();
                self.emit(term)?;
                self.block_unless(start);
                Ok(())
            }
        }
    }

    /// Blocks if the accumulator is zero; a byte compared with a constant since `start` becomes one
    /// operation.
    fn block_unless(&mut self, start: usize) {
        let fused = match self.code[start..] {
            [Op::GlobalU8(offset), compare] => test(compare).map(|t| (Base::State, offset, t)),
            [Op::LocalU8(offset), compare] => test(compare).map(|t| (Base::Frame, offset, t)),
            [Op::GlobalU8(offset)] => Some((Base::State, offset, (Test::NotEqual, 0))),
            [Op::LocalU8(offset)] => Some((Base::Frame, offset, (Test::NotEqual, 0))),
            _ => None,
        };
        match fused {
            Some((of, offset, (test, value))) => {
                self.code.truncate(start);
                self.code.push(Op::BlockUnlessU8 { of, test, offset, value });
            }
            None => self.code.push(Op::BlockIfZero),
        }
    }

    /// Where the length of a global channel known at compile time lies, if it is one byte.
    fn length_byte(&self, channel: &Expr) -> Option<(u32, &ChannelLayout)> {
        let channel = self.layout.globals.channels.get(self.global_channel(channel)?)?;
        (channel.length_size == 1).then_some((channel.offset, channel))
    }

    /// Which global channel a term refers to, if that is known at compile time.
    pub fn global_channel(&self, channel: &Expr) -> Option<usize> {
        let position = usize::try_from(self.fold(channel)?).ok()?.checked_sub(1)?;
        (position < self.layout.globals.channels.len()).then_some(position)
    }

    /// Blocks unless the channel has room for a message; ends with an offer if it is a rendezvous.
    pub fn room(&mut self, channel: &Expr) -> Result<(), NotFinite> {
        if let Some((offset, layout)) = self.length_byte(channel)
            && layout.capacity > 0
        {
            let value = layout.capacity as i32;
            self.code.push(Op::BlockUnlessU8 { of: Base::State, test: Test::Less, offset, value });
            return Ok(());
        }
        self.open(channel)?;
        self.code.push(Op::Room);
        Ok(())
    }

    /// For a receive of the oldest message of a known buffered channel whose fields are constants,
    /// or are not looked at: blocks unless it is there and matches. Whether that was all there is
    /// to check.
    pub fn arrival(&mut self, channel: &Expr, patterns: &[Pattern], anywhere: bool) -> bool {
        let Some((length, layout)) = self.length_byte(channel) else { return false };
        if layout.capacity == 0 || layout.fields.len() != patterns.len() {
            return false;
        }
        let slots = layout.slots() as u32;
        let mut tests = vec![(Test::NotEqual, length, 0)];
        for (pattern, field) in patterns.iter().zip(&layout.fields) {
            let Pattern::Match(term) = pattern else { continue };
            match self.fold(term).and_then(|value| i32::try_from(value).ok()) {
                Some(value) if field.kind == Kind::U8 && !anywhere => {
                    tests.push((Test::Equal, slots + field.offset, value));
                }
                _ => return false,
            }
        }
        let of = Base::State;
        self.code.extend(tests.into_iter().map(|(test, offset, value)| Op::BlockUnlessU8 {
            of,
            test,
            offset,
            value,
        }));
        true
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

    pub fn fold(&self, term: &Expr) -> Option<i64> {
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
            Read::Instance(process_type) => plain(Op::Instance(*process_type as u8), (-1, 255)),
            Read::ProcessCount => plain(Op::ProcessCount, byte),
            Read::Last => plain(Op::Last, byte),
            Read::Timeout => plain(Op::Timeout, (0, 1)),
            Read::NonProgress => plain(Op::NonProgress, (0, 1)),
            Read::Accepting => plain(Op::Accepting, (0, 1)),
            Read::Enabled(p) => (Some(p), Op::Enabled, (0, 1)),
            Read::Location(p) => (Some(p), Op::Location, (0, 65_535)),
            Read::At { process, process_type, point } => {
                (Some(process), Op::At { process_type: *process_type as u8, point: *point as u16 }, (0, 1))
            }
            Read::Priority(p) => (Some(p), Op::Priority, byte),
            Read::Length(c) | Read::Empty(c) | Read::Full(c) => return self.ask_channel(read, c),
        };
        if let Some(argument) = argument {
            self.emit(argument)?;
        }
        self.code.push(op);
        Ok(interval)
    }

    fn local_channel(&self, root: &Root) -> u8 {
        let (Root::Local(object) | Root::Remote { object, .. } | Root::Global(object)) = root;
        let section = self.process_type.map(|t| &self.layout.frames[t]);
        section.and_then(|s| s.channel_of[*object]).unwrap_or(0) as u8
    }

    fn ask_channel(&mut self, read: &Read, channel: &Expr) -> Result<Interval, NotFinite> {
        if let Some((offset, layout)) = self.length_byte(channel) {
            let capacity = layout.capacity as i32;
            self.code.push(Op::GlobalU8(offset));
            match read {
                Read::Empty(_) => self.code.push(Op::EqualConst(0)),
                Read::Full(_) if capacity == 0 => self.code.push(Op::Const(0)),
                Read::Full(_) => self.code.push(Op::EqualConst(capacity)),
                _ => return Ok((0, 255)),
            }
            return Ok((0, 1));
        }
        self.open(channel)?;
        let (op, interval) = match read {
            Read::Empty(_) => (Op::Empty, (0, 1)),
            Read::Full(_) => (Op::Full, (0, 1)),
            _ => (Op::Length, (0, 65_535)),
        };
        self.code.push(op);
        Ok(interval)
    }

    /// Opens a channel, at compile time if its handle is known.
    pub fn open(&mut self, channel: &Expr) -> Result<(), NotFinite> {
        match self.global_channel(channel) {
            Some(position) => self.code.push(Op::OpenGlobal(position as u16)),
            None => {
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

/// The test that a comparison of the accumulator with a constant makes.
fn test(compare: Op) -> Option<(Test, i32)> {
    match compare {
        Op::EqualConst(c) => Some((Test::Equal, c)),
        Op::NotEqualConst(c) => Some((Test::NotEqual, c)),
        Op::LessConst(c) => Some((Test::Less, c)),
        Op::GreaterEqualConst(c) => Some((Test::GreaterEqual, c)),
        Op::Not => Some((Test::Equal, 0)),
        _ => None,
    }
}

fn fuse(op: Binary, constant: i32) -> Option<Op> {
    Some(match op {
        Binary::Add => Op::AddConst(constant),
        Binary::Subtract => Op::AddConst(constant.checked_neg()?),
        Binary::Equal => Op::EqualConst(constant),
        Binary::NotEqual => Op::NotEqualConst(constant),
        Binary::Less => Op::LessConst(constant),
        Binary::LessEqual => Op::LessConst(constant.checked_add(1)?),
        Binary::GreaterEqual => Op::GreaterEqualConst(constant),
        Binary::Greater => Op::GreaterEqualConst(constant.checked_add(1)?),
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
