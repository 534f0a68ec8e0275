//! The machine: executes bytecode on a packed state.
//!
//! Everything works on the state being read or made ([`At`]); frames are found through `frames`,
//! which the stepper keeps in step with that state. A process that is created is appended and
//! enters `frames`.

use crate::code::{Base, Op};
use crate::layout::{Kind, POINT, load, save, wrap};
use crate::rules::{Choice, Rules};
use crate::tables::{Tables, Uses};
use logic::Binary;
use space::Trace;
use system::{Fault, MAX_PROCESSES, Pid};

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Done,
    Blocked,
    /// The guard of a send on a rendezvous channel: it waits for a receiver.
    Offers,
    Fault(Fault),
}

/// A channel in the state: its layout (by owner) and where its owner begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opened {
    /// Index into `Tables::channels`.
    pub layout: usize,
    /// Where its owner begins, from the state's first byte.
    pub owner: usize,
}

/// A process that executes in the state `bytes[base..]`.
pub struct At<'a> {
    pub bytes: &'a mut Vec<u8>,
    pub base: usize,
    pub pid: Pid,
}

impl At<'_> {
    pub fn state(&self) -> &[u8] {
        &self.bytes[self.base..]
    }

    pub fn state_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.base..]
    }

    /// Whether the process has not ended.
    pub fn is_alive(&self) -> bool {
        self.bytes[self.base] as usize > self.pid
    }
}

/// The registers and the side information of the state at work.
#[derive(Clone)]
pub struct Machine {
    /// Where the frame of each process begins, from the state's first byte.
    pub frames: Vec<u32>,
    pub stack: Vec<i64>,
    pub(crate) opened: Opened,
    pub(crate) found: Opened,
    pub(crate) slot: usize,
    /// The message of the handshake in progress and its channel.
    pub offer: Vec<i64>,
    pub offered: Option<Opened>,
    /// Whether receives are tried against the offer.
    pub accepting: bool,
    pub timeout: bool,
    pub failed_assertion: bool,
    kept: i64,
    arguments: Vec<i64>,
    /// How many `enabled()` are being evaluated one inside the other.
    pub nesting: usize,
    /// Channel uses seen, if they are wanted.
    pub uses: Option<Uses>,
    /// Which bytes of the state are looked at and written, if that is wanted. How many processes
    /// there are and of which process types is not noted: it decides how a state is cut.
    pub trace: Trace,
}

/// Registers put aside.
pub struct Registers {
    stack: Vec<i64>,
    offer: Vec<i64>,
    channels: (Opened, Opened, usize, Option<Opened>),
    accepting: bool,
}

impl Machine {
    pub fn new() -> Machine {
        Machine {
            frames: Vec::with_capacity(MAX_PROCESSES),
            stack: Vec::with_capacity(64),
            opened: Opened::default(),
            found: Opened::default(),
            slot: 0,
            offer: Vec::new(),
            offered: None,
            accepting: false,
            timeout: false,
            failed_assertion: false,
            kept: 0,
            arguments: Vec::new(),
            nesting: 0,
            uses: None,
            trace: Trace::default(),
        }
    }

    /// Finds the frames of a state.
    pub fn attend(&mut self, tables: &Tables, state: &[u8]) {
        self.frames.clear();
        let mut at = tables.layout.globals.size;
        for _ in 0..state[0] {
            self.frames.push(at as u32);
            at += tables.layout.frames[state[at] as usize].size;
        }
    }

    /// Where the frame of the process at work begins; a proposition has none.
    fn frame(&self, base: usize, pid: Pid) -> usize {
        base + self.frames.get(pid).map_or(0, |f| *f as usize)
    }

    /// Runs the code at `start` until it ends. The rarer operations are kept out of the loop, which
    /// is entered for every guard of every process.
    pub fn run(&mut self, rules: &Rules, at: &mut At<'_>, start: u32) -> Status {
        let At { bytes, base, pid } = at;
        let (bytes, base, pid): (&mut Vec<u8>, _, _) = (bytes, *base, *pid);
        let code = &rules.tables.code[start as usize..];
        let frame = self.frame(base, pid);
        let mut pc = 0;
        let mut acc: i64 = 0;
        loop {
            let op = &code[pc];
            pc += 1;
            match *op {
                Op::Const(value) => acc = value,
                Op::GlobalU8(offset) => {
                    self.trace.note(offset as usize);
                    acc = i64::from(bytes[base + offset as usize]);
                }
                Op::LocalU8(offset) => {
                    self.trace.note(frame - base + offset as usize);
                    acc = i64::from(bytes[frame + offset as usize]);
                }
                Op::Push => self.stack.push(acc),
                Op::StoreGlobalU8(offset) => {
                    self.trace.note(offset as usize);
                    bytes[base + offset as usize] = acc as u8;
                }
                Op::StoreLocalU8(offset) => {
                    self.trace.note(frame - base + offset as usize);
                    bytes[frame + offset as usize] = acc as u8;
                }
                Op::AddConst(c) => acc += i64::from(c),
                Op::EqualConst(c) => acc = i64::from(acc == i64::from(c)),
                Op::NotEqualConst(c) => acc = i64::from(acc != i64::from(c)),
                Op::LessConst(c) => acc = i64::from(acc < i64::from(c)),
                Op::Not => acc = i64::from(acc == 0),
                Op::Truth => acc = i64::from(acc != 0),
                Op::Wrap(int) => acc = wrap(int, acc),
                Op::Jump(to) => pc = (to - start) as usize,
                Op::JumpIfZero(to) if acc == 0 => pc = (to - start) as usize,
                Op::JumpUnlessZero(to) if acc != 0 => pc = (to - start) as usize,
                Op::JumpIfZero(_) | Op::JumpUnlessZero(_) => {}
                Op::BlockIfZero if acc == 0 => return Status::Blocked,
                Op::BlockIfZero => {}
                Op::GreaterEqualConst(c) => acc = i64::from(acc >= i64::from(c)),
                Op::BlockUnlessU8 { of, test, offset, value } => {
                    let start = if of == Base::State { base } else { frame };
                    self.trace.note(start - base + offset as usize);
                    if !test.passes(bytes[start + offset as usize], value) {
                        return Status::Blocked;
                    }
                }
                Op::Element { of, kind: Kind::U8, offset, length }
                    if (0..i64::from(length)).contains(&acc) =>
                {
                    let start = if of == Base::State { base } else { frame };
                    self.trace.note(start - base + offset as usize + acc as usize);
                    acc = i64::from(bytes[start + offset as usize + acc as usize]);
                }
                Op::Open if acc >= 1 && acc as usize <= rules.tables.layout.globals.channels.len() => {
                    self.opened = Opened { layout: acc as usize - 1, owner: 0 };
                }
                Op::Length => acc = self.length(&rules.tables, self.opened, &bytes[base..]) as i64,
                Op::OpenGlobal(k) => self.opened = Opened { layout: k as usize, owner: 0 },
                Op::Done => return Status::Done,
                _ => match self.rarer(rules, &mut At { bytes, base, pid }, op, acc) {
                    Ok(value) => acc = value,
                    Err(status) => {
                        if let Status::Fault(_) = status {
                            self.stack.clear();
                        }
                        return status;
                    }
                },
            }
        }
    }

    /// One operation outside the inner circle: the new accumulator, or how the execution ends.
    #[inline(never)]
    fn rarer(&mut self, rules: &Rules, at: &mut At<'_>, op: &Op, acc: i64) -> Result<i64, Status> {
        let (base, frame) = (at.base, self.frame(at.base, at.pid));
        let start_of = |of: Base| if of == Base::State { base } else { frame };
        let bytes = &mut *at.bytes;
        match *op {
            Op::Load(of, kind, offset) => {
                Ok(load(kind, bytes, self.touch(base, start_of(of) + offset as usize, kind)))
            }
            Op::LoadAt(of, kind) => {
                Ok(load(kind, bytes, self.touch(base, start_of(of) + acc as usize, kind)))
            }
            Op::Store(of, kind, offset) => {
                save(kind, bytes, self.touch(base, start_of(of) + offset as usize, kind), acc);
                Ok(acc)
            }
            Op::StoreAt(of, kind) => {
                let value = self.pop();
                save(kind, bytes, self.touch(base, start_of(of) + acc as usize, kind), value);
                Ok(acc)
            }
            Op::Element { length, .. } | Op::StoreElement { length, .. }
                if acc < 0 || acc >= i64::from(length) =>
            {
                Err(Status::Fault(Fault::IndexOutOfBounds))
            }
            Op::Element { of, kind, offset, .. } => {
                let at = start_of(of) + offset as usize + acc as usize * kind.size();
                Ok(load(kind, bytes, self.touch(base, at, kind)))
            }
            Op::StoreElement { of, kind, offset, .. } => {
                let value = self.pop();
                let at = start_of(of) + offset as usize + acc as usize * kind.size();
                save(kind, bytes, self.touch(base, at, kind), value);
                Ok(acc)
            }
            Op::FoundGlobal(k) => {
                self.found = Opened { layout: k as usize, owner: 0 };
                self.slot = 0;
                Ok(acc)
            }
            Op::Index { length, .. } if acc < 0 || acc >= i64::from(length) => {
                Err(Status::Fault(Fault::IndexOutOfBounds))
            }
            Op::Index { stride, .. } => Ok(self.pop() + acc * i64::from(stride)),
            Op::Binary(op) => {
                let left = self.pop();
                binary(op, left, acc).ok_or(Status::Fault(Fault::DivisionByZero))
            }
            Op::Negate => Ok(-acc),
            Op::Complement => Ok(!acc),
            Op::Assert => {
                self.failed_assertion |= acc == 0;
                Ok(acc)
            }
            Op::Keep => {
                self.kept = acc;
                Ok(acc)
            }
            Op::Kept => Ok(self.kept),
            Op::Argument(k) => Ok(self.arguments.get(k as usize).copied().unwrap_or(0)),
            Op::Open | Op::Length | Op::Empty | Op::Full | Op::Room | Op::Enqueue { .. } => {
                self.send_side(&rules.tables, at, *op, acc)
            }
            Op::Find { .. } | Op::Poll { .. } | Op::Field(_) | Op::Remove => {
                self.receive_side(&rules.tables, at, *op, acc)
            }
            _ => self.about_processes(rules, at, *op, acc),
        }
    }

    /// A scalar is looked at or written; where it is.
    fn touch(&mut self, base: usize, at: usize, kind: Kind) -> usize {
        self.trace.note_all(at - base, at - base + kind.size());
        at
    }

    fn send_side(&mut self, tables: &Tables, at: &mut At<'_>, op: Op, acc: i64) -> Result<i64, Status> {
        match op {
            Op::Open => {
                let opened = self.open(tables, at.state(), acc);
                self.opened = opened.ok_or(Status::Fault(Fault::NoChannel))?;
                Ok(acc)
            }
            Op::Enqueue { fields, sorted } => {
                self.enqueue(tables, at, fields as usize, sorted).map_err(Status::Fault)?;
                Ok(acc)
            }
            _ => {
                let capacity = tables.channels[self.opened.layout].capacity as usize;
                let length = self.length(tables, self.opened, at.state());
                match op {
                    Op::Length => Ok(length as i64),
                    Op::Empty => Ok(i64::from(length == 0)),
                    Op::Full => Ok(i64::from(capacity > 0 && length >= capacity)),
                    _ if capacity == 0 && !self.accepting => Err(Status::Offers),
                    _ if length >= capacity => Err(Status::Blocked),
                    _ => Ok(acc),
                }
            }
        }
    }

    fn receive_side(&mut self, tables: &Tables, at: &mut At<'_>, op: Op, acc: i64) -> Result<i64, Status> {
        match op {
            Op::Find { pattern } => match self.find(tables, at, pattern as usize) {
                Ok(true) => Ok(acc),
                Ok(false) => Err(Status::Blocked),
                Err(fault) => Err(Status::Fault(fault)),
            },
            Op::Poll { pattern } => {
                self.poll(tables, at.state(), pattern as usize).map(i64::from).map_err(Status::Fault)
            }
            Op::Field(k) => Ok(self.field(tables, at.state(), k as usize)),
            _ => {
                self.remove(tables, at);
                Ok(acc)
            }
        }
    }

    #[inline(never)]
    fn about_processes(&mut self, rules: &Rules, at: &mut At<'_>, op: Op, acc: i64) -> Result<i64, Status> {
        let tables = &rules.tables;
        let layout = &tables.layout;
        let (pid, state) = (at.pid, at.state_mut());
        Ok(match op {
            Op::Myself => pid as i64,
            Op::ProcessCount => i64::from(state[0]),
            Op::Instance(process_type) => {
                let mut process_types =
                    self.frames.iter().take(state[0] as usize).map(|f| state[*f as usize]);
                process_types.position(|t| t == process_type).map_or(-1, |p| p as i64)
            }
            Op::Last => layout.last.map_or(0, |at| {
                self.trace.note(at);
                i64::from(state[at])
            }),
            Op::Timeout => i64::from(self.timeout),
            Op::NonProgress => i64::from(!self.is_some_process_at(&tables.progress, tables, state)),
            Op::Accepting => i64::from(self.is_some_process_at(&tables.accept, tables, state)),
            Op::Enabled => match usize::try_from(acc) {
                Ok(pid) if pid < state[0] as usize => {
                    let at = &mut At { bytes: at.bytes, base: at.base, pid };
                    i64::from(rules.is_enabled(self, at).map_err(Status::Fault)?)
                }
                _ => 0,
            },
            Op::Location => match self.frame_of(state, acc) {
                Some(at) => self.point_at(tables, state, at) as i64,
                None => 0,
            },
            Op::At { process_type, point } => match self.frame_of(state, acc) {
                Some(at) => {
                    let is_there = self.point_at(tables, state, at) == point as usize;
                    i64::from(is_there && state[at] == process_type)
                }
                None => 0,
            },
            Op::RemoteLoad { process_type, kind } => {
                let offset = self.pop() as usize;
                match self.frame_of(state, acc) {
                    Some(at) if state[at] == process_type => {
                        load(kind, state, self.touch(0, at + offset, kind))
                    }
                    _ => 0,
                }
            }
            Op::Priority => match self.frame_of(state, acc).zip(layout.priority) {
                Some((at, offset)) => {
                    self.trace.note(at + offset);
                    i64::from(state[at + offset])
                }
                None => 0,
            },
            Op::SetPriority => {
                let process = self.pop();
                if !(1..=255).contains(&acc) {
                    return Err(Status::Fault(Fault::BadPriority));
                }
                if let (Some(at), Some(offset)) = (self.frame_of(state, process), layout.priority) {
                    self.trace.note(at + offset);
                    state[at + offset] = acc as u8;
                }
                acc
            }
            Op::LocalHandle(k) => self.handle(tables, state, pid) as i64 + i64::from(k),
            Op::Start { process_type, arguments, priority } => {
                self.arguments = self.stack.split_off(self.stack.len().saturating_sub(arguments as usize));
                let priority = if priority { self.pop() } else { 1 };
                self.start(rules, at, process_type, priority).map_err(Status::Fault)? as i64
            }
            Op::Stop => {
                state[0] -= 1;
                let frame = self.frame(0, pid);
                self.trace.note_all(frame, state.len());
                at.bytes.truncate(at.base + frame);
                acc
            }
            _ => acc,
        })
    }

    /// The location of the frame that begins there.
    pub fn point_at(&mut self, tables: &Tables, state: &[u8], frame: usize) -> usize {
        self.trace.note_all(frame + POINT, frame + POINT + tables.layout.point_size);
        tables.layout.point(state, frame)
    }

    /// The process is where a transition leads.
    pub fn move_on(&mut self, rules: &Rules, at: &mut At<'_>, choice: &Choice) {
        let frame = self.frames[at.pid] as usize;
        self.trace.note_all(frame + POINT, frame + POINT + rules.tables.layout.point_size);
        rules.tables.layout.set_point(at.state_mut(), frame, choice.code.post as usize);
    }

    /// Puts the registers aside for an evaluation in between.
    pub fn put_aside(&mut self) -> Registers {
        let accepting = std::mem::take(&mut self.accepting);
        Registers {
            stack: std::mem::take(&mut self.stack),
            offer: std::mem::take(&mut self.offer),
            channels: (self.opened, self.found, self.slot, self.offered),
            accepting,
        }
    }

    pub fn take_back(&mut self, registers: Registers) {
        self.stack = registers.stack;
        self.offer = registers.offer;
        (self.opened, self.found, self.slot, self.offered) = registers.channels;
        self.accepting = registers.accepting;
    }

    fn pop(&mut self) -> i64 {
        self.stack.pop().unwrap_or(0)
    }

    /// Where the frame of a live process begins.
    fn frame_of(&self, state: &[u8], process: i64) -> Option<usize> {
        let index = usize::try_from(process).ok().filter(|p| *p < state[0] as usize)?;
        self.frames.get(index).map(|f| *f as usize)
    }

    /// Whether some process is at a point of those given, by process type and location.
    fn is_some_process_at(&mut self, points: &[Vec<bool>], tables: &Tables, state: &[u8]) -> bool {
        (0..state[0] as usize).any(|pid| {
            let at = self.frames[pid] as usize;
            points[state[at] as usize][self.point_at(tables, state, at)]
        })
    }

    /// Creates a process with the arguments in the register for them.
    fn start(
        &mut self,
        rules: &Rules,
        at: &mut At<'_>,
        process_type: u8,
        priority: i64,
    ) -> Result<Pid, Fault> {
        let tables = &rules.tables;
        let (pid, frame) = (at.state()[0] as usize, at.state().len());
        if pid >= MAX_PROCESSES {
            return Err(Fault::TooManyProcesses);
        }
        if !(1..=255).contains(&priority) {
            return Err(Fault::BadPriority);
        }
        let born = process_type as usize;
        at.bytes.resize(at.bytes.len() + tables.layout.frames[born].size, 0);
        let state = at.state_mut();
        state[0] += 1;
        state[frame] = process_type;
        tables.layout.set_point(state, frame, tables.entries[born]);
        if let Some(offset) = tables.layout.priority {
            state[frame + offset] = priority as u8;
        }
        self.frames.truncate(pid);
        self.frames.push(frame as u32);
        if self.handle(tables, state, pid + 1) > 256 {
            return Err(Fault::TooManyChannels);
        }
        let at = &mut At { bytes: at.bytes, base: at.base, pid };
        match self.run(rules, at, tables.creations[born]) {
            Status::Fault(fault) => Err(fault),
            Status::Done | Status::Blocked | Status::Offers => Ok(pid),
        }
    }

    /// The handle of the first channel of a process.
    fn handle(&self, tables: &Tables, state: &[u8], pid: Pid) -> usize {
        let below = self.frames[..pid.min(self.frames.len())].iter();
        let channels = below.map(|f| tables.layout.frames[state[*f as usize] as usize].channels.len());
        1 + tables.layout.globals.channels.len() + channels.sum::<usize>()
    }
}

fn binary(op: Binary, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide => a.checked_div(b)?,
        Binary::Remainder => a.checked_rem(b)?,
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::ShiftLeft => a.checked_shl(u32::try_from(b).ok()?)?,
        Binary::ShiftRight => a >> u32::try_from(b).ok()?.min(63),
        Binary::Less => i64::from(a < b),
        Binary::LessEqual => i64::from(a <= b),
        Binary::Greater => i64::from(a > b),
        Binary::GreaterEqual => i64::from(a >= b),
        Binary::Equal => i64::from(a == b),
        Binary::NotEqual => i64::from(a != b),
        Binary::And => i64::from(a != 0 && b != 0),
        Binary::Or => i64::from(a != 0 || b != 0),
    })
}
