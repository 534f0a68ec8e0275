//! Objects that are used as copies of others, or uninitialised: undefined by POSIX.
//!
//! The model knows an object by where it lies. The C library knows it by its bytes, and a copy of
//! them is in the state that the original was in, or in none at all. Which one that is, is not
//! modelled: behind such a use nothing is certain.
//!
//! An object that is used has a mark in its memory, and so has a copy of it (preload/marks.h). If
//! nothing was used where it lies, or the mark says that it belongs elsewhere in its page, then it
//! is a copy. Not noticed is who copies one used object over another that has the same place in
//! its page. An object that was initialised and then copied before its first use is as good as the
//! original.

use super::Execution;
use super::private::{begins_or_ends, object};
use crate::operation::{Key, Pending};
use crate::protocol::{self as p, Request};

impl Execution {
    /// A thread comes to an operation, on one object or two.
    pub(super) fn check_copied(&mut self, request: &Request, op: &Pending) {
        let Some((first, _)) = object(request.op) else { return };
        let first = (op.key(), first, request.c);
        let second = op.second().map(|key| (key, "mutex", request.c >> 1));
        for (key, name, flags) in [Some(first), second].into_iter().flatten() {
            let known = !self.objects.insert(key) || begins_or_ends(request.op);
            let marked = flags & p::MARKED != 0;
            if flags & p::COPIED != 0 || marked && flags & p::FRESH == 0 && !known {
                self.uncontrolled.insert(format!("a {name} that is a copy, or was not initialised"));
                (self.loose, self.distorted) = (true, true);
            }
        }
    }

    /// A process forks: the child has copies where the originals are.
    pub(super) fn copy_objects(&mut self, from: u64, to: u64) {
        let copies: Vec<Key> = self.objects.iter().filter(|key| key.space == from).copied().collect();
        self.objects.extend(copies.into_iter().map(|key| Key { space: to, ..key }));
    }
}
