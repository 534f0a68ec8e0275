//! The memory that a controlled program and the scheduler share: `preload/protocol.h` in Rust.
//!
//! Everything is an atomic, because the program may write anything at any time: it is input, and
//! nothing in it is trusted.

#![allow(dead_code, reason = "one table for both sides; not every constant is used on this one")]

use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering};

include!(concat!(env!("OUT_DIR"), "/protocol.rs"));

/// The object's memory shows no use so far; it is not for several processes; it is neither as it
/// was left here nor as initialisers leave it; it has a mark.
pub const FRESH: i64 = 1;
pub const PRIVATE: i64 = 4;
pub const COPIED: i64 = 16;
pub const MARKED: i64 = 64;
/// A result: the thread ends here. A flag: it may.
pub const CANCELLED: i64 = -7777;
pub const POINT: u32 = 1;
/// A result: handlers run first.
pub const SIGNAL: i64 = -7778;
/// The same, while `sigsuspend` waits: with its mask.
pub const SUSPENDED: i64 = -7779;
/// A result of `kill`: all threads of the process compute, so that the caller has to end it.
pub const KILL: i64 = 2;
/// No memory: what is done there is the use of functions that are not safe in handlers, by thread.
pub const UNSAFE: u64 = 0xfff0 << 48;
pub const UNSAFE_ROOM: u64 = 64;
/// Something uncontrolled is done otherwise than the kernel would.
pub const OTHERWISE: i64 = 2;
/// Marks places where threads may only wait, in the table of racing places.
pub const WAITS: u64 = 1 << 63;
/// Marks names of files there: calls on them are visible.
pub const FILE: u64 = 1 << 62;

#[repr(C)]
pub struct Slot {
    pub turn: AtomicU32,
    pub posted: AtomicU32,
    pub op: AtomicU32,
    pub flags: AtomicU32,
    pub object: AtomicU64,
    pub a: AtomicI64,
    pub b: AtomicI64,
    pub c: AtomicI64,
    pub result: AtomicI64,
    pub pid: AtomicI32,
    pub tid: AtomicI32,
    pub pc: AtomicU64,
    pub frames: AtomicU32,
    pub length: AtomicU32,
    pub parked: AtomicU32,
    pub padding: AtomicU32,
    pub time: AtomicU64,
    pub until: AtomicU64,
    pub kept: [AtomicU64; 8],
}

#[repr(C)]
pub struct Data {
    pub stack: [AtomicU64; LIM_STACK],
    pub bytes: [AtomicU8; LIM_DATA],
}

#[repr(C)]
pub struct Event {
    pub answer: AtomicU32,
    pub who: AtomicU32,
    pub op: AtomicU32,
    pub flags: AtomicU32,
    pub object: AtomicU64,
    pub a: AtomicI64,
    pub b: AtomicI64,
    pub c: AtomicI64,
    pub pc: AtomicU64,
    pub data: AtomicU32,
    pub length: AtomicU32,
    pub notes: AtomicU32,
    pub accesses: AtomicU32,
    pub several: AtomicU32,
    pub padding: AtomicU32,
    pub time: AtomicU64,
    pub until: AtomicU64,
}

#[repr(C)]
pub struct Note {
    pub op: AtomicU32,
    pub slot: AtomicU32,
    pub object: AtomicU64,
    pub a: AtomicI64,
    pub b: AtomicI64,
    pub c: AtomicI64,
    pub pc: AtomicU64,
}

#[repr(C)]
pub struct PlainAccess {
    pub at: AtomicU64,
    pub pc: AtomicU64,
    pub size: AtomicU32,
    pub how: AtomicU32,
}

/// The path behind a name.
#[repr(C)]
pub struct Text {
    pub name: AtomicU64,
    pub text: [AtomicU8; LIM_PATH],
}

#[repr(C)]
pub struct Shared {
    pub bell: AtomicU32,
    pub order: AtomicU32,
    pub ready: AtomicU32,
    pub served: AtomicU32,
    pub several: AtomicU32,
    pub stacks: AtomicU32,
    pub notes: AtomicU32,
    pub contained: AtomicU32,
    pub probe: AtomicI32,
    pub alive: AtomicU32,
    pub cpu_nanoseconds: AtomicU64,
    pub base: AtomicU64,
    pub instrumented: AtomicU32,
    pub accesses: AtomicU32,
    pub backstop: AtomicU32,
    pub used: AtomicU32,
    pub played: AtomicU32,
    pub foreseen: AtomicU32,
    pub playing: AtomicU32,
    pub differs: AtomicU32,
    pub wanted: AtomicU32,
    pub ordered: AtomicU32,
    pub waits: AtomicU32,
    pub crowd: AtomicU32,
    pub inodes: AtomicU32,
    pub early: AtomicU32,
    pub cancels: AtomicU32,
    pub note: [Note; LIM_NOTES],
    pub slot: [Slot; LIM_SLOTS],
    pub tape: [Event; LIM_TAPE],
    pub racing: [AtomicU64; LIM_RACING],
    pub access: [PlainAccess; LIM_ACCESSES],
    pub tape_data: [AtomicU8; LIM_TAPE_DATA],
    pub inode: [[AtomicU64; 4]; LIM_INODES],
    pub path: [Text; LIM_PATHS],
    pub data: [Data; LIM_SLOTS],
}

/// What a thread says it wants to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    pub op: u32,
    pub object: u64,
    pub a: i64,
    pub b: i64,
    pub c: i64,
    pub flags: u32,
    pub pc: u64,
    /// If sleeping orders: how long its thread has slept, and when it gives up, in nanoseconds; 0
    /// if that is not known.
    pub time: u64,
    pub until: u64,
    pub data: Vec<u8>,
    pub stack: Vec<u64>,
}

impl Shared {
    pub fn request(&self, who: usize) -> Request {
        let get = Ordering::SeqCst;
        let (slot, data) = (&self.slot[who], &self.data[who]);
        let length = (slot.length.load(get) as usize).min(LIM_DATA);
        let frames = (slot.frames.load(get) as usize).min(LIM_STACK);
        Request {
            op: slot.op.load(get),
            object: slot.object.load(get),
            a: slot.a.load(get),
            b: slot.b.load(get),
            c: slot.c.load(get),
            flags: slot.flags.load(get),
            pc: slot.pc.load(get),
            time: slot.time.load(get),
            until: slot.until.load(get),
            data: data.bytes[..length].iter().map(|b| b.load(get)).collect(),
            stack: data.stack[..frames].iter().map(|f| f.load(get)).collect(),
        }
    }
}

impl Note {
    pub fn request(&self) -> Request {
        let get = Ordering::SeqCst;
        Request {
            op: self.op.load(get),
            object: self.object.load(get),
            a: self.a.load(get),
            b: self.b.load(get),
            c: self.c.load(get),
            pc: self.pc.load(get),
            ..Request::default()
        }
    }
}

impl Request {
    /// The text that came with the request, for people: printable and short.
    pub fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.data);
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect()
    }
}
