//! Layout: where each object of a finite system lives in a packed state.
//!
//! A packed state is `[process count][last mover, if read][globals][frame 0][frame 1]…`; a frame is
//! `[process type][location][priority, if used][objects]`. A new process gets the last frame and
//! only the youngest terminates, so frames form a stack and what is below an address never moves.
//! Integers take 1, 2 or 4 bytes, little-endian; a channel is its length followed by all its slots,
//! unused ones zero.

use logic::{IntType, Sort};
use system::{ObjectKind, System};

/// How a scalar is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Unsigned, one byte.
    U8,
    /// Signed, one byte.
    I8,
    /// Unsigned, two bytes.
    U16,
    /// Signed, two bytes.
    I16,
    /// Unsigned, four bytes.
    U32,
    /// Signed, four bytes.
    I32,
}

impl Kind {
    /// The smallest kind that holds the type; `None` beyond 32 bits.
    pub fn of(int: IntType) -> Option<Kind> {
        Some(match (int.bits, int.signed) {
            (1..=8, false) => Kind::U8,
            (1..=8, true) => Kind::I8,
            (9..=16, false) => Kind::U16,
            (9..=16, true) => Kind::I16,
            (17..=32, false) => Kind::U32,
            (17..=32, true) => Kind::I32,
            _ => return None,
        })
    }

    /// How many bytes it takes.
    pub fn size(self) -> usize {
        match self {
            Kind::U8 | Kind::I8 => 1,
            Kind::U16 | Kind::I16 => 2,
            Kind::U32 | Kind::I32 => 4,
        }
    }
}

/// Why a system cannot be packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFinite {
    /// A variable ranges over all integers, or over more than 32 bits.
    #[error("`{name}` is not of a finite type of at most 32 bits")]
    Unbounded {
        /// The variable.
        name: String,
    },
    /// A term may leave the 64 bits that the machine computes with.
    #[error("a value in `{text}` may exceed 64 bits")]
    Overflow {
        /// The term.
        text: String,
    },
    /// More process types, points or bytes than the layout can address.
    #[error("too large to be packed: {what}")]
    TooLarge {
        /// What there is too much of.
        what: String,
    },
}

/// One field of a message: its place in the slot and its type.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// From the start of the slot.
    pub offset: u32,
    /// How it is stored.
    pub kind: Kind,
    /// The type of its values.
    pub int: IntType,
}

/// A channel object.
#[derive(Clone, Debug)]
pub struct ChannelLayout {
    /// From the start of its owner (the state, or the frame).
    pub offset: u32,
    /// How many messages there is room for.
    pub capacity: u32,
    /// The fields of a message.
    pub fields: Vec<Field>,
    /// How many bytes a message takes.
    pub slot_size: u32,
    /// Bytes of the length: 1 or 2.
    pub length_size: u32,
}

impl ChannelLayout {
    /// Where its messages begin, from the start of its owner.
    pub fn slots(&self) -> usize {
        (self.offset + self.length_size) as usize
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        (self.length_size + self.capacity * self.slot_size) as usize
    }

    /// How many messages there are, in a state where the owner begins there.
    pub fn length(&self, state: &[u8], owner: usize) -> usize {
        let at = owner + self.offset as usize;
        let low = usize::from(state[at]);
        if self.length_size == 1 { low } else { low | usize::from(state[at + 1]) << 8 }
    }
}

/// Where the objects of one owner live.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// By object: its offset from the start of the owner.
    pub offsets: Vec<u32>,
    /// The channels of the owner, in order.
    pub channels: Vec<ChannelLayout>,
    /// By object: which channel of the owner it is, if it is one.
    pub channel_of: Vec<Option<usize>>,
    /// Bytes, header included.
    pub size: usize,
    /// Where its parts end, for a store that keeps each part once.
    pub ends: Vec<u32>,
}

/// Where everything stands in a packed state.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The header and the global objects.
    pub globals: Section,
    /// By process type: the objects of a process.
    pub frames: Vec<Section>,
    /// Bytes of a location: 1 or 2.
    pub point_size: usize,
    /// Where the number of the process that moved last stands, if it is kept.
    pub last: Option<usize>,
    /// Where the priority stands in a frame.
    pub priority: Option<usize>,
}

/// Where the location stands in a frame.
pub const POINT: usize = 1;

impl Layout {
    /// The layout of a system.
    pub fn of(system: &System, keeps_last: bool) -> Result<Layout, NotFinite> {
        if system.process_types.len() > 256 {
            return Err(NotFinite::TooLarge { what: "more than 256 process types".into() });
        }
        let points = system.process_types.iter().map(|t| t.points.len()).max().unwrap_or(0);
        if points > 65_536 {
            return Err(NotFinite::TooLarge { what: "more than 65,536 control points in a process".into() });
        }
        let point_size = if points > 256 { 2 } else { 1 };
        let priorities = system.scheduling.as_ref().is_some_and(|d| d.priorities);
        let frame_header = 1 + point_size + usize::from(priorities);
        let frames =
            system.process_types.iter().map(|t| Section::of(&t.objects, frame_header, PROCESS_PIECE));
        Ok(Layout {
            globals: Section::of(&system.globals, 1 + usize::from(keeps_last), GLOBAL_PIECE)?,
            frames: frames.collect::<Result<_, _>>()?,
            point_size,
            last: keeps_last.then_some(1),
            priority: priorities.then_some(1 + point_size),
        })
    }

    /// The location of the process whose frame begins there.
    pub fn point(&self, state: &[u8], frame: usize) -> usize {
        let low = state[frame + POINT] as usize;
        if self.point_size == 1 { low } else { low | (state[frame + POINT + 1] as usize) << 8 }
    }

    /// Where a state falls into parts: variables, channels, processes. The number of processes and
    /// their process types decide.
    pub fn cut(&self, state: &[u8], cut: &mut space::Cut) {
        cut.ends.extend_from_slice(&self.globals.ends);
        cut.deciding.push(0);
        let mut at = self.globals.size;
        for _ in 0..state[0] {
            let section = &self.frames[state[at] as usize];
            cut.ends.extend(section.ends.iter().map(|end| at as u32 + end));
            cut.deciding.push(at as u32);
            at += section.size;
        }
    }

    /// Moves the process whose frame begins there to a location.
    pub fn set_point(&self, state: &mut [u8], frame: usize, point: usize) {
        state[frame + POINT] = point as u8;
        if self.point_size == 2 {
            state[frame + POINT + 1] = (point >> 8) as u8;
        }
    }
}

impl Section {
    fn of(objects: &[system::Object], header: usize, most: usize) -> Result<Section, NotFinite> {
        let mut section = Section { size: header, ..Section::default() };
        let mut ends = Ends { ends: Vec::new(), piece: piece(objects).clamp(1, most) };
        for object in objects {
            section.offsets.push(section.size as u32);
            match &object.kind {
                ObjectKind::Variable { sort, .. } => {
                    let size = size_of(sort).ok_or_else(|| unbounded(object))?;
                    if size <= MAX_SECTION {
                        ends.variable(section.size, sort);
                    }
                    section.size += size;
                    section.channel_of.push(None);
                }
                ObjectKind::Channel { capacity, fields } => {
                    let channel =
                        channel(section.size, *capacity, fields).ok_or_else(|| unbounded(object))?;
                    section.channel_of.push(Some(section.channels.len()));
                    ends.channel(&channel);
                    section.size += channel.size();
                    section.channels.push(channel);
                }
            }
            if section.size > MAX_SECTION {
                return Err(NotFinite::TooLarge { what: format!("`{}` takes too many bytes", object.name) });
            }
        }
        section.ends = ends.up_to(section.size);
        Ok(section)
    }
}

/// Variables of an owner that are larger together are parts of their own, so that there are not too
/// many.
fn piece(objects: &[system::Object]) -> usize {
    let sizes = objects.iter().map(|object| match &object.kind {
        ObjectKind::Variable { sort, .. } => size_of(sort).unwrap_or(0),
        ObjectKind::Channel { .. } => 0,
    });
    sizes.sum::<usize>() / PARTS
}

/// Parts of an owner: each number by itself where there are few, channels by themselves. A step
/// depends on few numbers, and the smaller the parts are, the more states agree in those that it
/// depends on; the store joins parts that always change together.
struct Ends {
    ends: Vec<u32>,
    /// Numbers that are larger together are parts of their own.
    piece: usize,
}

/// A channel of up to this many bytes is one part.
const SMALL_CHANNEL: usize = 32;

impl Ends {
    fn end(&mut self, at: usize) {
        if at > self.last() {
            self.ends.push(at as u32);
        }
    }

    fn last(&self) -> usize {
        self.ends.last().map_or(0, |end| *end as usize)
    }

    /// A variable lies here: how many bytes it takes.
    fn variable(&mut self, at: usize, sort: &Sort) -> usize {
        match sort {
            Sort::Array(element, length) => {
                (0..*length).fold(0, |size, _| size + self.variable(at + size, element))
            }
            Sort::Record(fields) => {
                fields.iter().fold(0, |size, (_, field)| size + self.variable(at + size, field))
            }
            Sort::Integer | Sort::Channel | Sort::Machine(_) => {
                let size = size_of(sort).unwrap_or(0);
                if at + size - self.last() > self.piece {
                    self.end(at);
                }
                size
            }
        }
    }

    /// A large channel is cut between messages.
    fn channel(&mut self, channel: &ChannelLayout) {
        let (at, size) = (channel.offset as usize, channel.size());
        self.end(at);
        if size > SMALL_CHANNEL {
            let slot = (channel.slot_size as usize).max(1);
            let piece = (SMALL_CHANNEL / 2 / slot).max(1) * slot;
            (channel.slots()..at + size).step_by(piece).for_each(|end| self.end(end));
        }
        self.end(at + size);
    }

    fn up_to(mut self, size: usize) -> Vec<u32> {
        self.end(size);
        self.ends
    }
}

/// The variables of an owner are cut into about this many parts at most,
const PARTS: usize = 48;

/// unless they would be larger than this.
const PROCESS_PIECE: usize = 24;
const GLOBAL_PIECE: usize = 7;

/// No owner takes more bytes than this.
const MAX_SECTION: usize = 1 << 24;

fn unbounded(object: &system::Object) -> NotFinite {
    NotFinite::Unbounded { name: object.name.clone() }
}

/// Bytes of a value of the sort.
pub fn size_of(sort: &Sort) -> Option<usize> {
    match sort {
        Sort::Integer => None,
        Sort::Machine(int) => Kind::of(*int).map(Kind::size),
        Sort::Channel => Some(1),
        Sort::Array(element, length) => size_of(element)?.checked_mul(*length),
        Sort::Record(fields) => fields.iter().map(|(_, s)| size_of(s)).sum(),
    }
}

fn channel(offset: usize, capacity: usize, sorts: &[Sort]) -> Option<ChannelLayout> {
    let mut fields = Vec::new();
    let mut slot_size = 0;
    for sort in sorts {
        let int = sort.machine()?;
        let kind = Kind::of(int)?;
        fields.push(Field { offset: slot_size, kind, int });
        slot_size += kind.size() as u32;
    }
    let capacity = u32::try_from(capacity).ok().filter(|c| *c < 65_536)?;
    let length_size = if capacity > 255 { 2 } else { 1 };
    Some(ChannelLayout { offset: offset as u32, capacity, fields, slot_size, length_size })
}

/// Reads a scalar.
pub fn load(kind: Kind, bytes: &[u8], at: usize) -> i64 {
    match kind {
        Kind::U8 => i64::from(bytes[at]),
        Kind::I8 => i64::from(bytes[at] as i8),
        Kind::U16 => i64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
        Kind::I16 => i64::from(i16::from_le_bytes([bytes[at], bytes[at + 1]])),
        Kind::U32 => i64::from(u32::from_le_bytes(four(bytes, at))),
        Kind::I32 => i64::from(i32::from_le_bytes(four(bytes, at))),
    }
}

/// Writes a scalar.
pub fn save(kind: Kind, bytes: &mut [u8], at: usize, value: i64) {
    match kind {
        Kind::U8 | Kind::I8 => bytes[at] = value as u8,
        Kind::U16 | Kind::I16 => bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
        Kind::U32 | Kind::I32 => bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
    }
}

fn four(bytes: &[u8], at: usize) -> [u8; 4] {
    [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
}

/// What remains of a value in a machine type.
pub fn wrap(int: IntType, value: i64) -> i64 {
    let shift = 64 - u32::from(int.bits);
    if int.signed { (value << shift) >> shift } else { ((value as u64) << shift >> shift) as i64 }
}
