//! Kleene's three truth values, in the code of two bits that the engine uses throughout: *may* be
//! true, *must* be true.
//!
//! 0 is neither, 1 is both, 1/2 is may alone. 0 and 1 are below 1/2 in the order of information.

/// A truth value of Kleene's three-valued logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Kleene {
    /// Certainly false.
    #[default]
    False,
    /// Unknown: written 1/2.
    Half,
    /// Certainly true.
    True,
}

impl Kleene {
    /// From what is possible and what is certain; what is certain counts as possible.
    pub fn new(may: bool, must: bool) -> Kleene {
        match (may, must) {
            (_, true) => Kleene::True,
            (true, false) => Kleene::Half,
            (false, false) => Kleene::False,
        }
    }

    /// Whether it is not certainly false.
    pub fn may(self) -> bool {
        self != Kleene::False
    }

    /// Whether it is certainly true.
    pub fn must(self) -> bool {
        self == Kleene::True
    }

    /// Whether it is not 1/2.
    pub fn is_definite(self) -> bool {
        self != Kleene::Half
    }

    /// What is known if it is one or the other.
    pub fn join(self, other: Kleene) -> Kleene {
        if self == other { self } else { Kleene::Half }
    }

    /// Whether everything that `self` allows is allowed by `other`.
    pub fn below(self, other: Kleene) -> bool {
        self == other || other == Kleene::Half
    }

    /// As files and pictures write it: 0, 1/2 or 1.
    pub fn name(self) -> &'static str {
        ["0", "1/2", "1"][self as usize]
    }
}

impl std::ops::Not for Kleene {
    type Output = Kleene;

    fn not(self) -> Kleene {
        Kleene::new(!self.must(), !self.may())
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Kleene {
        Kleene::new(value, value)
    }
}

#[cfg(test)]
mod tests {
    use super::Kleene::{self, False, Half, True};

    #[test]
    fn tables() {
        assert_eq!([!False, !Half, !True], [True, Half, False]);
        for a in [False, Half, True] {
            for b in [False, Half, True] {
                assert_eq!(a.join(b), b.join(a));
                assert!(a.below(a.join(b)) && b.below(a.join(b)));
                assert_eq!(a.below(b) && b.below(a), a == b);
            }
            assert_eq!(Kleene::new(a.may(), a.must()), a);
        }
    }
}
