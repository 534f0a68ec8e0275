//! Fills a table anew, by several threads.
//!
//! Numbers are taken in blocks. First each thread computes the hashes of a range of the block and
//! sorts the numbers by the piece of the table they belong to; then each fills one piece.

use super::StateId;
use super::lines::Part;
use std::ops::Range;
use std::thread;

/// How many numbers a block has.
const BLOCK: usize = 1 << 18;

/// How many are brought near before they are added.
const AHEAD: usize = 64;

type Numbers = Vec<(u64, StateId)>;

/// Adds the numbers below `count` by their hashes, a thread for each piece of the table; gives what
/// found no room in its piece.
pub(super) fn fill(mut parts: Vec<Part<'_>>, count: usize, hash_of: impl Fn(usize) -> u64 + Sync) -> Numbers {
    let mut left = Vec::new();
    for start in (0..count).step_by(BLOCK) {
        let end = (start + BLOCK).min(count);
        let threads = parts.len();
        let range = |k: usize| start + (end - start) * k / threads..start + (end - start) * (k + 1) / threads;
        let sorted = all((0..threads).map(|k| {
            let (range, hash_of) = (range(k), &hash_of);
            move || sort(range, threads, hash_of)
        }));
        let mine = parts.iter_mut().enumerate();
        let added = all(mine.map(|(k, part)| {
            let sorted = &sorted;
            move || sorted.iter().flat_map(|by_part| add(part, &by_part[k])).collect::<Numbers>()
        }));
        left.extend(added.into_iter().flatten());
    }
    left
}

/// Runs each of these in a thread of its own.
fn all<T: Send>(work: impl Iterator<Item = impl FnOnce() -> T + Send>) -> Vec<T> {
    thread::scope(|scope| {
        let handles: Vec<_> = work.map(|one| scope.spawn(one)).collect();
        let join = |handle: thread::ScopedJoinHandle<'_, T>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(join).collect()
    })
}

/// Numbers with their hashes, by piece. One whose line is on the border may come to the wrong one:
/// that has no room for it.
fn sort(range: Range<usize>, parts: usize, hash_of: &impl Fn(usize) -> u64) -> Vec<Numbers> {
    let room = range.len() / parts * 9 / 8 + 16;
    let mut by_part: Vec<Numbers> = (0..parts).map(|_| Vec::with_capacity(room)).collect();
    for number in range {
        let hash = hash_of(number);
        let part = ((u128::from(hash) * parts as u128) >> 64) as usize;
        by_part[part].push((hash, number as StateId));
    }
    by_part
}

fn add(part: &mut Part<'_>, numbers: &[(u64, StateId)]) -> Numbers {
    let mut left = Vec::new();
    for ahead in numbers.chunks(AHEAD) {
        ahead.iter().for_each(|(hash, _)| part.prefetch(*hash));
        left.extend(ahead.iter().filter(|(hash, number)| !part.add(*hash, *number)));
    }
    left
}
