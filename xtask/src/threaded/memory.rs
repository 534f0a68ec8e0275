//! Where objects lie in the interpreter's memory, and what is read and written there (little
//! endian).

use super::lower::Target;
use super::{Index, Part, Place, Program, Shape};

/// The bytes of an access, and for a bit field its bits in them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    pub from: usize,
    pub size: usize,
    shift: u32,
    width: u32,
}

impl Spot {
    fn bytes(from: usize, size: usize) -> Spot {
        Spot { from, size, shift: 0, width: 8 * size as u32 }
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.from..self.from + self.size
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    pub fn read(self, memory: &[u8]) -> u64 {
        let bytes = memory[self.range()].iter().rev();
        bytes.fold(0, |number, byte| (number << 8) | u64::from(*byte)) >> self.shift & self.mask()
    }

    pub fn write(self, memory: &mut [u8], value: u64) {
        let whole = Spot::bytes(self.from, self.size);
        let kept = whole.read(memory) & !(self.mask() << self.shift);
        let all = kept | (value & self.mask()) << self.shift;
        memory[self.range()].copy_from_slice(&all.to_le_bytes()[..self.size]);
    }
}

/// Objects, then cells, then blocks.
pub struct Layout {
    shapes: Vec<Shape>,
    begins: Vec<usize>,
    pub bytes: usize,
}

/// A block is one word.
const BLOCK: usize = 4;

impl Layout {
    pub fn new(program: &Program, blocks: usize) -> Layout {
        let shapes: Vec<Shape> = program.objects.iter().map(|object| object.shape).collect();
        let sizes = shapes.iter().map(|shape| shape.bytes());
        let sizes = sizes.chain(vec![8; program.cells]).chain(vec![BLOCK; blocks]);
        let (mut bytes, mut begins) = (0, Vec::new());
        for size in sizes {
            begins.push(bytes);
            bytes += size;
        }
        Layout { shapes, begins, bytes }
    }

    /// The bytes of an object, for the outcome.
    pub fn object(&self, object: usize) -> std::ops::Range<usize> {
        self.begins[object]..self.begins[object] + self.shapes[object].bytes()
    }

    pub fn locate(&self, target: Target, registers: &[u64]) -> Spot {
        match target {
            Target::Range { object, offset, size } => Spot::bytes(self.begins[object] + offset, size),
            Target::Block(register) => self.block(registers[register]),
            Target::Place(place) => self.place(place, registers),
        }
    }

    pub fn block(&self, pointer: u64) -> Spot {
        Spot::bytes(self.begins[pointer as usize], BLOCK)
    }

    fn place(&self, place: Place, registers: &[u64]) -> Spot {
        let from = self.begins[place.object];
        match (self.shapes[place.object], place.part) {
            (Shape::Array(size, length), Part::Element(index)) => {
                let at = match index {
                    Index::Constant(at) => at,
                    Index::Local(register) => (registers[register] % u64::from(length)) as u8,
                };
                Spot::bytes(from + usize::from(size) * usize::from(at), size.into())
            }
            (Shape::Union, Part::Half(half)) => Spot::bytes(from + 2 * usize::from(half), 2),
            (Shape::Union, Part::Byte(byte)) => Spot::bytes(from + usize::from(byte), 1),
            (Shape::Record, Part::Field(field)) => {
                let (offset, size) = [(0, 1), (2, 2), (4, 4)][usize::from(field)];
                Spot::bytes(from + offset, size)
            }
            (Shape::Bits, Part::Field(field)) => {
                let (shift, width) = [(0, 3), (3, 5)][usize::from(field)];
                Spot { from, size: 1, shift, width }
            }
            (shape, _) => Spot::bytes(from, shape.bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_overlap_as_in_c() {
        let mut memory = [0; 4];
        Spot::bytes(0, 4).write(&mut memory, 0x0403_0201);
        assert_eq!(Spot::bytes(2, 2).read(&memory), 0x0403);
        Spot::bytes(1, 1).write(&mut memory, 0x1ff);
        assert_eq!(Spot::bytes(0, 4).read(&memory), 0x0403_ff01);
        let high = Spot { from: 0, size: 1, shift: 3, width: 5 };
        high.write(&mut memory, 0x3e);
        assert_eq!((high.read(&memory), memory[0]), (0x1e, 0xf1));
    }
}
