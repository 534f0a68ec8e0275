//! Rows: operations on objects that matter to a step or to a condition. Each set of rows is kept
//! once and has a number, so that what is found out about it can be kept in a table.

use crate::object_table::Mask;
use std::collections::HashMap;

/// The number of a set of rows; 0 is the empty one.
pub type RowsId = u32;

/// An object and operations on it.
pub type Row = (u16, Mask);

/// All sets of rows met, each once.
#[derive(Clone)]
pub struct Rows {
    all: Vec<Box<[Row]>>,
    numbers: HashMap<Box<[Row]>, RowsId>,
}

impl Default for Rows {
    fn default() -> Self {
        let empty: Box<[Row]> = Box::default();
        Rows { all: vec![empty.clone()], numbers: [(empty, 0)].into_iter().collect() }
    }
}

impl Rows {
    /// The number of a set; rows of one object are made one.
    pub fn number(&mut self, mut rows: Vec<Row>) -> RowsId {
        rows.retain(|(_, mask)| *mask != 0);
        rows.sort_unstable();
        rows.dedup_by(|more, kept| {
            more.0 == kept.0 && {
                kept.1 |= more.1;
                true
            }
        });
        let next = self.all.len() as RowsId;
        let rows = rows.into_boxed_slice();
        *self.numbers.entry(rows).or_insert_with_key(|rows| {
            self.all.push(rows.clone());
            next
        })
    }

    /// Whether any of the operations is in the rows.
    pub fn hit(&self, rows: RowsId, masks: &[Mask]) -> bool {
        let rows = self.all[rows as usize].iter();
        rows.into_iter().any(|(object, mask)| masks.get(*object as usize).is_some_and(|m| m & mask != 0))
    }
}

/// What was found out about rows, by their numbers.
#[derive(Clone, Debug)]
pub struct Known<T>(Vec<Option<T>>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known(Vec::new())
    }
}

impl<T: Copy> Known<T> {
    /// What is known of rows; found out if it is not.
    #[inline]
    pub fn of(&mut self, rows: RowsId, find: impl FnOnce() -> T) -> T {
        let at = rows as usize;
        if let Some(Some(known)) = self.0.get(at) {
            return *known;
        }
        self.learn(at, find())
    }

    #[cold]
    fn learn(&mut self, at: usize, found: T) -> T {
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_object_are_one_and_equal_sets_have_one_number() {
        let mut rows = Rows::default();
        assert_eq!(rows.number(vec![(3, 0)]), 0);
        let both = rows.number(vec![(2, 0b100), (1, 0b1), (2, 0b10)]);
        assert_eq!(rows.number(vec![(1, 0b1), (2, 0b110)]), both);
        assert!(rows.hit(both, &[0, 0, 0b10]) && !rows.hit(both, &[1, 0b10, 0b1]) && !rows.hit(0, &[!0]));
    }
}
