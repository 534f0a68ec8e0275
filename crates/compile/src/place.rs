//! Places to bytecode: reading and writing variables, array elements and fields.
//!
//! An offset that is known at compile time goes into the operation; an element of an array of
//! scalars takes one operation behind its index; anything deeper computes its offset in the
//! accumulator. A value is computed before the place it goes to, as the reference stepper does.

use crate::code::{Base, Op};
use crate::emit::{Emitter, Interval, range};
use crate::layout::{Kind, NotFinite, Section, size_of};
use logic::{IntType, Sort, Term};
use system::{Access, Expr, ObjectId, ObjectKind, Place, Root};

/// Where a place lives.
struct Address {
    base: Base,
    int: IntType,
    kind: Kind,
    way: Way,
}

/// How the offset of a place is found.
enum Way {
    Fixed(u32),
    /// An element of an array of scalars that begins at a known offset.
    Element {
        offset: u32,
        length: u32,
        index: Expr,
    },
    /// Parts known at compile time between parts that are not.
    Computed {
        parts: Vec<Part>,
    },
}

enum Part {
    Fixed(u32),
    Index { term: Expr, length: u32, stride: u32 },
}

impl Emitter<'_> {
    pub fn read_place(&mut self, place: &Place) -> Result<Interval, NotFinite> {
        let Address { base, int, kind, way } = self.address(place)?;
        if let Root::Remote { process, process_type, .. } = &place.root {
            self.offset(&way)?;
            self.code.push(Op::Push);
            self.emit(process)?;
            self.code.push(Op::RemoteLoad { process_type: *process_type as u8, kind });
            let (low, high) = range(int);
            return Ok((low.min(0), high.max(0)));
        }
        match way {
            Way::Fixed(offset) => self.code.push(match (base, kind) {
                (Base::State, Kind::U8) => Op::GlobalU8(offset),
                (Base::Frame, Kind::U8) => Op::LocalU8(offset),
                (base, kind) => Op::Load(base, kind, offset),
            }),
            Way::Element { offset, length, index } => {
                self.emit(&index)?;
                self.code.push(Op::Element { of: base, kind, offset, length });
            }
            Way::Computed { .. } => {
                self.offset(&way)?;
                self.code.push(Op::LoadAt(base, kind));
            }
        }
        Ok(range(int))
    }

    /// Stores what `value` leaves in the accumulator in a place.
    pub fn store(
        &mut self,
        place: &Place,
        value: impl FnOnce(&mut Self) -> Result<Interval, NotFinite>,
    ) -> Result<(), NotFinite> {
        let Address { base, int, kind, way } = self.address(place)?;
        let interval = value(self)?;
        self.wrap(int, interval);
        match way {
            Way::Fixed(offset) => self.code.push(match (base, kind) {
                (Base::State, Kind::U8) => Op::StoreGlobalU8(offset),
                (Base::Frame, Kind::U8) => Op::StoreLocalU8(offset),
                (base, kind) => Op::Store(base, kind, offset),
            }),
            Way::Element { offset, length, index } => {
                self.code.push(Op::Push);
                self.emit(&index)?;
                self.code.push(Op::StoreElement { of: base, kind, offset, length });
            }
            Way::Computed { .. } => {
                self.code.push(Op::Push);
                self.offset(&way)?;
                self.code.push(Op::StoreAt(base, kind));
            }
        }
        Ok(())
    }

    /// Leaves an offset in the accumulator.
    fn offset(&mut self, way: &Way) -> Result<(), NotFinite> {
        let index = |e: &mut Self, term: &Expr, length, stride| {
            e.code.push(Op::Push);
            e.emit(term)?;
            e.code.push(Op::Index { length, stride });
            Ok(())
        };
        match way {
            Way::Fixed(offset) => self.code.push(Op::Const((*offset).into())),
            // Elements have operations of their own, and remote places are never elements.
            Way::Element { .. } => {}
            Way::Computed { parts } => {
                self.code.push(Op::Const(0));
                for part in parts {
                    match part {
                        Part::Fixed(0) => {}
                        Part::Fixed(offset) => self.code.push(Op::AddConst(*offset as i32)),
                        Part::Index { term, length, stride } => index(self, term, *length, *stride)?,
                    }
                }
            }
        }
        Ok(())
    }

    fn section(&self, root: &Root) -> (&Section, &[system::Object], ObjectId, Base) {
        match root {
            Root::Global(o) => (&self.layout.globals, &self.system.globals, *o, Base::State),
            Root::Local(o) => {
                let t = self.process_type.unwrap_or(0);
                (&self.layout.frames[t], &self.system.process_types[t].objects, *o, Base::Frame)
            }
            Root::Remote { process_type: t, object, .. } => {
                (&self.layout.frames[*t], &self.system.process_types[*t].objects, *object, Base::Frame)
            }
        }
    }

    fn address(&self, place: &Place) -> Result<Address, NotFinite> {
        let (section, objects, object, base) = self.section(&place.root);
        let unbounded = || NotFinite::Unbounded { name: objects[object].name.clone() };
        let ObjectKind::Variable { sort, .. } = &objects[object].kind else { return Err(unbounded()) };
        let mut parts = vec![Part::Fixed(section.offsets[object])];
        let mut at = sort;
        for access in &place.path {
            let (inner, part) = self.step_into(at, access)?;
            match (parts.last_mut(), part) {
                (Some(Part::Fixed(before)), Part::Fixed(more)) => *before += more,
                (_, part) => parts.push(part),
            }
            at = inner;
        }
        let int = at.machine().ok_or_else(unbounded)?;
        let kind = Kind::of(int).ok_or_else(unbounded)?;
        let remote = matches!(place.root, Root::Remote { .. });
        Ok(Address { base, int, kind, way: way(parts, kind, remote) })
    }

    fn step_into<'s>(&self, sort: &'s Sort, access: &Access) -> Result<(&'s Sort, Part), NotFinite> {
        let broken = || NotFinite::TooLarge { what: "a place that its type does not have".into() };
        match (sort, access) {
            (Sort::Record(fields), Access::Field(k)) => {
                let before = fields.iter().take(*k).map(|(_, s)| size_of(s).unwrap_or(0)).sum::<usize>();
                let inner = &fields.get(*k).ok_or_else(broken)?.1;
                Ok((inner, Part::Fixed(before as u32)))
            }
            (Sort::Array(element, length), access) => {
                let stride = size_of(element).unwrap_or(0) as u32;
                let (constant, term) = match access {
                    Access::Field(k) => (Some(*k as i64), Term::Constant(*k as i64)),
                    Access::Index(term) => (self.fold(term), term.clone()),
                };
                let part = match constant.and_then(|c| usize::try_from(c).ok()) {
                    Some(index) if index < *length => Part::Fixed(index as u32 * stride),
                    _ => Part::Index { term, length: *length as u32, stride },
                };
                Ok((element.as_ref(), part))
            }
            _ => Err(broken()),
        }
    }
}

/// The simplest way that covers the parts.
fn way(mut parts: Vec<Part>, kind: Kind, remote: bool) -> Way {
    match &parts[..] {
        [Part::Fixed(offset)] => return Way::Fixed(*offset),
        [Part::Fixed(_), Part::Index { stride, .. }] if *stride as usize == kind.size() && !remote => {
            if let (Some(Part::Index { term, length, .. }), Some(Part::Fixed(offset))) =
                (parts.pop(), parts.pop())
            {
                return Way::Element { offset, length, index: term };
            }
        }
        _ => {}
    }
    Way::Computed { parts }
}
