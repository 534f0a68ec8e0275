//! What parsers by recursive descent share: parts inside one another, and several in a row.

use crate::{Cursor, Parsed};
use std::ops::DerefMut;

/// What a parser over a cursor reads of several parts.
pub trait Descent: DerefMut<Target = Cursor> + Sized {
    /// Reads something one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter()?;
        let result = read(self);
        self.leave();
        result
    }

    /// At least one, with these between them.
    fn separated<T>(&mut self, by: &str, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(by) {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// Commas between them, up to what closes them, which is taken; perhaps none.
    fn list<T>(&mut self, close: &str, one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let all = if self.is(close) { Vec::new() } else { self.separated(",", one)? };
        self.expect(close)?;
        Ok(all)
    }

    /// Something with these around it.
    fn between<T>(
        &mut self,
        open: &str,
        close: &str,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let opened = self.expect(open)?;
        let inside = read(self)?;
        self.close(close, opened)?;
        Ok(inside)
    }

    /// What follows a word, if the word stands here.
    fn after<T>(&mut self, word: &str, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<Option<T>> {
        if self.eat(word) { read(self).map(Some) } else { Ok(None) }
    }
}

impl<P: DerefMut<Target = Cursor>> Descent for P {}

/// Lets a parser with a field `cursor` be used as one.
#[macro_export]
macro_rules! reads_tokens {
    ($parser:ty) => {
        impl std::ops::Deref for $parser {
            type Target = $crate::Cursor;

            fn deref(&self) -> &$crate::Cursor {
                &self.cursor
            }
        }

        impl std::ops::DerefMut for $parser {
            fn deref_mut(&mut self) -> &mut $crate::Cursor {
                &mut self.cursor
            }
        }
    };
}
