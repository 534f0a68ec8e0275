//! A program as a list of operations for each thread: what the interpreter executes.
//!
//! One statement may be several operations, in the order in which an unoptimised compilation makes
//! them. Where the standard leaves the grain open (`memcpy`, a bit field inside its byte), there
//! are two readings: [`Grain::Coarse`] takes as few steps as possible, [`Grain::Fine`] goes byte by
//! byte.

use super::{Compare, Function, Hold, Mode, Order, Part, Place, Program, Register, Shape, Stmt, Value};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Grain {
    Coarse,
    Fine,
}

/// Where an access goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    Place(Place),
    /// This many bytes of an object, from an offset.
    Range {
        object: usize,
        offset: usize,
        size: usize,
    },
    /// The block a register points to.
    Block(Register),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    Apply(Function),
    /// Only if the old value is this one.
    IfEqual(u64),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    Set(Register, Value),
    /// The second becomes eight times itself and the first.
    Mix(Register, Register),
    /// The first becomes a function of itself and a value.
    Apply(Register, Function, Value),
    Branch {
        left: Register,
        compare: Compare,
        right: u64,
        otherwise: usize,
    },
    Jump(usize),
    Load {
        into: Register,
        target: Target,
        mode: Mode,
    },
    Store {
        target: Target,
        mode: Mode,
        value: Value,
    },
    Rmw {
        into: Register,
        target: Target,
        change: Change,
        value: Value,
        order: Order,
    },
    Await {
        target: Target,
        mode: Mode,
        value: u64,
    },
    Lock(usize, Hold),
    TryLock(usize, Hold, Register),
    Unlock(usize, Hold),
    Post(usize),
    Wait(usize),
    TryWait(usize, Register),
    Count(usize, Register),
    /// Lets go of the lock and waits.
    Sleep {
        condition: usize,
        lock: usize,
    },
    /// Goes on when it was woken and the lock is free.
    Wake {
        lock: usize,
    },
    Notify {
        condition: usize,
        all: bool,
    },
    Arrive(usize),
    Leave,
    Allocate(Register, usize),
    Free(Register),
    Spawn(usize),
    Join(usize),
    /// A child finds this, and tells; it takes what it finds from its parent's memory all at once.
    Fork {
        into: Register,
        places: [Place; 2],
        lock: Option<usize>,
    },
    Exit,
    End,
}

const TEMPORARY: Register = 4;
const SECOND: Register = 5;
const POINTER: Register = 6;

/// The operations, and how many blocks of memory they allocate.
pub struct Lowered {
    pub threads: Vec<Vec<Op>>,
    pub blocks: usize,
}

pub fn lower(program: &Program, grain: Grain) -> Lowered {
    let mut blocks = 0;
    let threads = program.threads.iter().map(|body| {
        let mut lowering = Lowering { program, grain, code: Vec::new(), blocks };
        lowering.body(body);
        lowering.code.push(Op::End);
        blocks = lowering.blocks;
        lowering.code
    });
    let threads = threads.collect();
    Lowered { threads, blocks }
}

struct Lowering<'p> {
    program: &'p Program,
    grain: Grain,
    code: Vec<Op>,
    blocks: usize,
}

impl Lowering<'_> {
    fn body(&mut self, body: &[Stmt]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    /// An `_Atomic` object is accessed atomically however it is spelt.
    fn mode(&self, place: Place, mode: Mode) -> Mode {
        match (self.program.objects[place.object].shape, mode) {
            (Shape::Atomic(_), Mode::Plain | Mode::Volatile) => Mode::Atomic(Order::SeqCst),
            _ => mode,
        }
    }

    fn load(&mut self, into: Register, place: Place, mode: Mode) {
        let mode = self.mode(place, mode);
        self.code.push(Op::Load { into, target: Target::Place(place), mode });
    }

    fn store(&mut self, place: Place, mode: Mode, value: Value) {
        let bits = self.program.objects[place.object].shape == Shape::Bits;
        if let (true, Grain::Fine, Part::Field(field)) = (bits, self.grain, place.part) {
            let (shift, mask) = if field == 0 { (1, 7) } else { (8, 0xf8) };
            let byte = Target::Range { object: place.object, offset: 0, size: 1 };
            self.code.push(Op::Load { into: SECOND, target: byte, mode });
            self.code.push(Op::Apply(SECOND, Function::And, Value::Constant(!mask)));
            let scaled = match value {
                Value::Constant(number) => Value::Constant(number.wrapping_mul(shift) & mask),
                _ => {
                    self.code.push(Op::Set(7, value));
                    self.code.push(Op::Set(7, Value::Times(7, shift)));
                    self.code.push(Op::Apply(7, Function::And, Value::Constant(mask)));
                    Value::Local(7)
                }
            };
            self.code.push(Op::Apply(SECOND, Function::Or, scaled));
            self.code.push(Op::Store { target: byte, mode, value: Value::Local(SECOND) });
            return;
        }
        let mode = self.mode(place, mode);
        self.code.push(Op::Store { target: Target::Place(place), mode, value });
    }

    fn update(&mut self, place: Place, mode: Mode, function: Function, value: Value) {
        if let Mode::Atomic(order) = self.mode(place, mode) {
            let (target, change) = (Target::Place(place), Change::Apply(function));
            self.code.push(Op::Rmw { into: TEMPORARY, target, change, value, order });
            return;
        }
        self.load(TEMPORARY, place, mode);
        self.code.push(Op::Apply(TEMPORARY, function, value));
        self.store(place, mode, Value::Local(TEMPORARY));
    }

    /// `then` if the condition holds, else `other`.
    fn choice(&mut self, (left, compare, right): (Register, Compare, u64), then: &[Stmt], other: &[Stmt]) {
        let branch = self.code.len();
        self.code.push(Op::Jump(0));
        self.body(then);
        let jump = self.code.len();
        self.code.push(Op::Jump(0));
        self.code[branch] = Op::Branch { left, compare, right, otherwise: self.code.len() };
        self.body(other);
        self.code[jump] = Op::Jump(self.code.len());
    }

    fn repeat(&mut self, counter: Register, times: u64, unless: Option<(Place, Mode)>, body: &[Stmt]) {
        self.code.push(Op::Set(counter, Value::Constant(0)));
        let head = self.code.len();
        self.code.push(Op::Jump(0));
        let mut exits =
            vec![(head, Op::Branch { left: counter, compare: Compare::Less, right: times, otherwise: 0 })];
        if let Some((place, mode)) = unless {
            self.load(TEMPORARY, place, mode);
            exits.push((
                self.code.len(),
                Op::Branch { left: TEMPORARY, compare: Compare::Equal, right: 0, otherwise: 0 },
            ));
            self.code.push(Op::Jump(0));
        }
        self.body(body);
        self.code.push(Op::Set(counter, Value::Plus(counter, 1)));
        self.code.push(Op::Jump(head));
        for (at, mut branch) in exits {
            if let Op::Branch { otherwise, .. } = &mut branch {
                *otherwise = self.code.len();
            }
            self.code[at] = branch;
        }
    }

    fn copy(&mut self, to: usize, from: usize, bytes: usize) {
        if self.grain == Grain::Coarse {
            let range = |object| Target::Range { object, offset: 0, size: bytes };
            self.code.push(Op::Load { into: TEMPORARY, target: range(from), mode: Mode::Plain });
            let value = Value::Local(TEMPORARY);
            self.code.push(Op::Store { target: range(to), mode: Mode::Plain, value });
            return;
        }
        // All bytes are read, the last first, then all are written.
        let byte = |object, offset| Target::Range { object, offset, size: 1 };
        self.code.push(Op::Set(TEMPORARY, Value::Constant(0)));
        for offset in (0..bytes).rev() {
            self.code.push(Op::Load { into: SECOND, target: byte(from, offset), mode: Mode::Plain });
            self.code.push(Op::Set(TEMPORARY, Value::Times(TEMPORARY, 256)));
            self.code.push(Op::Apply(TEMPORARY, Function::Or, Value::Local(SECOND)));
        }
        self.scatter(to, bytes);
    }

    /// Writes the temporary register byte by byte.
    fn scatter(&mut self, to: usize, bytes: usize) {
        for offset in 0..bytes {
            let target = Target::Range { object: to, offset, size: 1 };
            self.code.push(Op::Store { target, mode: Mode::Plain, value: Value::Local(TEMPORARY) });
            self.code.push(Op::Apply(TEMPORARY, Function::Shift, Value::Constant(8)));
        }
    }

    fn fill(&mut self, to: usize, byte: u8, bytes: usize) {
        let value = u64::from_le_bytes([byte; 8]);
        if self.grain == Grain::Coarse {
            let target = Target::Range { object: to, offset: 0, size: bytes };
            self.code.push(Op::Store { target, mode: Mode::Plain, value: Value::Constant(value) });
            return;
        }
        self.code.push(Op::Set(TEMPORARY, Value::Constant(value)));
        self.scatter(to, bytes);
    }

    fn condition(&mut self, statement: &Stmt) {
        let Stmt::Condition { lock, condition, place, value, again, body } = statement else { return };
        self.code.push(Op::Lock(*lock, Hold::Alone));
        let head = self.code.len();
        self.load(TEMPORARY, *place, Mode::Plain);
        let branch = self.code.len();
        self.code.push(Op::Jump(0));
        let over = self.code.len();
        self.code.push(Op::Jump(0));
        let otherwise = self.code.len();
        self.code[branch] = Op::Branch { left: TEMPORARY, compare: Compare::Equal, right: *value, otherwise };
        self.code.push(Op::Sleep { condition: *condition, lock: *lock });
        self.code.push(Op::Wake { lock: *lock });
        if *again {
            self.code.push(Op::Jump(head));
        }
        self.code[over] = Op::Jump(self.code.len());
        self.body(body);
        self.code.push(Op::Unlock(*lock, Hold::Alone));
    }

    /// The pointer in the cell goes into a register, and the cell becomes empty if it is taken.
    fn cell(&mut self, cell: usize, mode: Mode, taken: bool) {
        let target = self.pointer(cell);
        match mode {
            Mode::Atomic(order) if taken => {
                let (change, value) = (Change::Apply(Function::Exchange), Value::Constant(0));
                self.code.push(Op::Rmw { into: POINTER, target, change, value, order });
            }
            _ => {
                self.code.push(Op::Load { into: POINTER, target, mode });
                if taken {
                    self.code.push(Op::Store { target, mode, value: Value::Constant(0) });
                }
            }
        }
    }

    /// The bytes of a cell: cells lie behind the objects.
    fn pointer(&self, cell: usize) -> Target {
        Target::Range { object: self.program.objects.len() + cell, offset: 0, size: 8 }
    }

    /// Reads the block if there is one, and frees it if it was taken.
    fn inside(&mut self, into: Register, taken: bool) {
        let branch = self.code.len();
        self.code.push(Op::Jump(0));
        let jump = self.code.len();
        self.code.push(Op::Jump(0));
        let otherwise = self.code.len();
        self.code[branch] = Op::Branch { left: POINTER, compare: Compare::Equal, right: 0, otherwise };
        self.code.push(Op::Load { into, target: Target::Block(POINTER), mode: Mode::Plain });
        if taken {
            self.code.push(Op::Free(POINTER));
        }
        self.code[jump] = Op::Jump(self.code.len());
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Local(register, value) => self.code.push(Op::Set(*register, *value)),
            Stmt::Load { into, mix: false, place, mode } => self.load(*into, *place, *mode),
            Stmt::Load { into, mix: true, place, mode } => {
                self.load(TEMPORARY, *place, *mode);
                self.code.push(Op::Mix(TEMPORARY, *into));
            }
            Stmt::Store { place, mode, value } => self.store(*place, *mode, *value),
            Stmt::Update { place, mode, function, value } => self.update(*place, *mode, *function, *value),
            Stmt::Copy { to, from, mode } => {
                self.load(TEMPORARY, *from, *mode);
                self.store(*to, *mode, Value::Local(TEMPORARY));
            }
            Stmt::Rmw { into, place, function, value, style } => self.code.push(Op::Rmw {
                into: *into,
                target: Target::Place(*place),
                change: Change::Apply(*function),
                value: *value,
                order: style.order(),
            }),
            Stmt::Cas { into, place, expected, desired, style } => self.code.push(Op::Rmw {
                into: *into,
                target: Target::Place(*place),
                change: Change::IfEqual(*expected),
                value: *desired,
                order: style.order(),
            }),
            Stmt::Look { place, mode, value, then, other } => {
                self.load(TEMPORARY, *place, *mode);
                self.choice((TEMPORARY, Compare::Equal, *value), then, other);
            }
            Stmt::If { left, compare, right, then, other } => {
                self.choice((*left, *compare, *right), then, other)
            }
            Stmt::Repeat { counter, times, unless, body } => self.repeat(*counter, *times, *unless, body),
            Stmt::Await { place, mode, value, .. } => {
                let mode = self.mode(*place, *mode);
                self.code.push(Op::Await { target: Target::Place(*place), mode, value: *value });
            }
            Stmt::Condition { .. } => self.condition(statement),
            Stmt::Move { to, from, bytes } => self.copy(*to, *from, (*bytes).into()),
            Stmt::Fill { to, byte, bytes } => self.fill(*to, *byte, (*bytes).into()),
            Stmt::Scratch { into, value } | Stmt::Private { into, value, .. } => {
                self.code.push(Op::Set(*into, *value));
            }
            Stmt::Put { cell, mode, value } => {
                self.code.push(Op::Allocate(
                    POINTER,
                    self.program.objects.len() + self.program.cells + self.blocks,
                ));
                self.blocks += 1;
                let block = Target::Block(POINTER);
                self.code.push(Op::Store { target: block, mode: Mode::Plain, value: *value });
                let target = self.pointer(*cell);
                self.code.push(Op::Store { target, mode: *mode, value: Value::Local(POINTER) });
            }
            Stmt::Take { cell, mode, into } => {
                self.cell(*cell, *mode, true);
                self.inside(*into, true);
            }
            Stmt::Peek { cell, mode, into } => {
                self.cell(*cell, *mode, false);
                self.inside(*into, false);
            }
            _ => self.synchronization(statement),
        }
    }

    fn synchronization(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Locked { lock, hold, body } => {
                self.code.push(Op::Lock(*lock, *hold));
                self.body(body);
                self.code.push(Op::Unlock(*lock, *hold));
            }
            Stmt::Try { lock, hold, then, other } => {
                self.code.push(Op::TryLock(*lock, *hold, TEMPORARY));
                let branch = self.code.len();
                self.code.push(Op::Jump(0));
                self.body(then);
                self.code.push(Op::Unlock(*lock, *hold));
                let jump = self.code.len();
                self.code.push(Op::Jump(0));
                let otherwise = self.code.len();
                self.code[branch] =
                    Op::Branch { left: TEMPORARY, compare: Compare::Equal, right: 1, otherwise };
                self.body(other);
                self.code[jump] = Op::Jump(self.code.len());
            }
            Stmt::Post(semaphore) => self.code.push(Op::Post(*semaphore)),
            Stmt::Wait(semaphore) => self.code.push(Op::Wait(*semaphore)),
            Stmt::TryWait(into, semaphore) => self.code.push(Op::TryWait(*semaphore, *into)),
            Stmt::Count(into, semaphore) => self.code.push(Op::Count(*semaphore, *into)),
            Stmt::Notify { condition, all } => {
                self.code.push(Op::Notify { condition: *condition, all: *all });
            }
            Stmt::Barrier(barrier) => {
                self.code.push(Op::Arrive(*barrier));
                self.code.push(Op::Leave);
            }
            Stmt::Spawn(thread) => self.code.push(Op::Spawn(*thread)),
            Stmt::Join(thread) => self.code.push(Op::Join(*thread)),
            Stmt::Fork { into, places, lock } => {
                self.code.push(Op::Fork { into: *into, places: *places, lock: *lock });
            }
            Stmt::Exit { .. } => self.code.push(Op::Exit),
            _ => {}
        }
    }
}
