//! How many distinct states were seen, without keeping them: adaptive sampling (Wegman; Flajolet,
//! Computing 43, 1990).
//!
//! Hashes are kept whose last `depth` bits are zero. When there are too many, one more bit must be.
//! What is kept is a sample of the distinct hashes, each with probability 2^-depth, however often
//! it came.

use std::collections::HashSet;

/// No more hashes than this are kept; the error is then about 1.2 / √8192, a little more than 1 %.
const MOST: usize = 8192;

#[derive(Default)]
pub(super) struct Sample {
    depth: u32,
    kept: HashSet<u64>,
}

impl Sample {
    pub fn see(&mut self, hash: u64) {
        if hash.trailing_zeros() < self.depth {
            return;
        }
        self.kept.insert(hash);
        while self.kept.len() > MOST {
            self.depth += 1;
            let depth = self.depth;
            self.kept.retain(|h| h.trailing_zeros() >= depth);
        }
    }

    /// An estimate of the number of distinct hashes seen.
    pub fn distinct(&self) -> f64 {
        self.kept.len() as f64 * 2f64.powi(self.depth as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash;
    use super::*;

    #[test]
    fn the_estimate_is_near_whatever_comes_twice() {
        for count in [10u32, 1_000, 100_000, 400_000] {
            let mut sample = Sample::default();
            for k in (0..count).chain(0..count / 2).chain(0..count / 3) {
                sample.see(hash(&k.to_le_bytes()));
            }
            let error = (sample.distinct() - f64::from(count)).abs() / f64::from(count);
            assert!(error < 0.05, "{count}: {}", sample.distinct());
        }
    }
}
