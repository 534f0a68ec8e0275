//! Seeds shared among workers.

use std::{
    io,
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// Does `work` for every seed, with `jobs` workers; the first error ends the worker that met it,
/// and is returned.
pub fn each(seeds: Range<u64>, jobs: usize, work: impl Fn(u64) -> io::Result<()> + Sync) -> io::Result<()> {
    let next = AtomicU64::new(seeds.start);
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !seeds.contains(&seed) {
                return Ok(());
            }
            work(seed)?;
        }
    };
    std::thread::scope(|threads| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| threads.spawn(worker)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|_| Err(io::Error::other("panic"))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_seed_is_done_once() {
        let done = Mutex::new(Vec::new());
        let note = |seed| {
            done.lock().unwrap().push(seed);
            Ok(())
        };
        each(3..40, 3, note).unwrap();
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, (3..40).collect::<Vec<_>>());
        let fails = each(0..3, 1, |_| Err(io::Error::other("no")));
        assert!(fails.is_err());
    }
}
