//! A job under way, as both sides see it: the one who does it and the one who may end it.
//!
//! Who watches the clock, the memory and the signals asks here for a stop; phases that look often
//! end by themselves. The job notes what it is doing, how far it is and what it has found for
//! certain, so that an answer can be given even if it does not look in time
//! (docs/internals/limits.md).

use crate::answer::{Decided, Violation};
use crate::listener::{Progress, resident_bytes};
use explore::Stop;
use source::SourceMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// Can be raised from anywhere, at any time; the job it belongs to notes here where it stands.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    stop: Arc<Shared>,
    board: Arc<Mutex<Board>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Which stop was asked for first; 0 is none.
    asked: AtomicU8,
    /// The limit of memory, 0 if there is none; and when the work looked at it last, in
    /// microseconds since `begun`.
    memory: AtomicU64,
    looked: AtomicU64,
    begun: OnceLock<Instant>,
}

/// Where a job stands.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// What it is doing, in words that follow "while".
    pub phase: &'static str,
    /// What is tried within it, such as a property and an engine; empty if that is not said.
    pub trying: String,
    /// How far it has come.
    pub progress: Progress,
    /// The properties asked for, as far as they are known.
    pub properties: Vec<Decided>,
    /// The first violation, certified.
    pub violation: Option<Violation>,
    /// The texts that violations point into.
    pub map: SourceMap,
}

impl Board {
    /// What is known of a property is not lost if the rest takes too long. Only what was asked for
    /// is noted: an answer that is cut off must have every property, not the known ones alone.
    pub(crate) fn note(&mut self, known: &Decided) {
        let asked = self.properties.iter_mut().find(|p| p.name == known.name && p.kind == known.kind);
        if let Some(property) = asked {
            property.verdict = known.verdict;
        }
    }
}

const STOPS: [Stop; 3] = [Stop::Interrupt, Stop::Time, Stop::Memory];

impl Interrupt {
    /// A signal: the user wants no more.
    pub fn raise(&self) {
        self.ask(Stop::Interrupt);
    }

    /// Asks for a stop. An interrupt beats a limit; otherwise the first reason counts.
    pub fn ask(&self, stop: Stop) {
        let number = STOPS.iter().position(|s| *s == stop).map_or(0, |at| at as u8 + 1);
        match stop {
            Stop::Interrupt => self.stop.asked.store(number, Ordering::SeqCst),
            _ => {
                let _ = self.stop.asked.compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
            }
        }
    }

    /// Why the job is to end.
    pub fn asked(&self) -> Option<Stop> {
        self.look_at_memory();
        let number = usize::from(self.stop.asked.load(Ordering::SeqCst));
        number.checked_sub(1).and_then(|at| STOPS.get(at).copied())
    }

    /// The work looks at its memory, too, whenever it asks: on a busy machine the one who watches
    /// it may come late, but the memory grows only while the work is done.
    pub fn limit_memory(&self, bytes: u64) {
        self.stop.begun.get_or_init(Instant::now);
        self.stop.memory.store(bytes, Ordering::SeqCst);
    }

    fn look_at_memory(&self) {
        const PERIOD: u64 = 1000;
        let limit = self.stop.memory.load(Ordering::Relaxed);
        let Some(begun) = self.stop.begun.get().filter(|_| limit > 0) else { return };
        let now = begun.elapsed().as_micros() as u64;
        if now < self.stop.looked.load(Ordering::Relaxed) + PERIOD {
            return;
        }
        self.stop.looked.store(now, Ordering::Relaxed);
        if resident_bytes() >= limit {
            self.ask(Stop::Memory);
        }
    }

    /// For a job within this one that is about something else, such as an abstraction: it ends with
    /// this one, and what it notes is not known of this one's subject.
    pub fn apart(&self) -> Interrupt {
        Interrupt { stop: Arc::clone(&self.stop), board: Arc::default() }
    }

    /// Whether the job is to end, for whatever reason.
    pub fn is_raised(&self) -> bool {
        self.asked().is_some()
    }

    /// Whether a signal is the reason.
    pub fn is_interrupted(&self) -> bool {
        self.asked() == Some(Stop::Interrupt)
    }

    /// Says what the job does now, in words that follow "while".
    pub fn phase(&self, phase: &'static str) {
        let mut board = self.board();
        board.phase = phase;
        board.trying.clear();
    }

    /// Says what is tried within the phase.
    pub fn trying(&self, what: String) {
        self.board().trying = what;
    }

    /// What is noted, to be read or written; never kept for long.
    pub fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Verdict;

    #[test]
    fn the_first_limit_counts_and_an_interrupt_beats_it() {
        let job = Interrupt::default();
        assert_eq!(job.asked(), None);
        job.ask(Stop::Memory);
        job.ask(Stop::Time);
        assert_eq!(job.asked(), Some(Stop::Memory));
        assert!(job.is_raised() && !job.is_interrupted());
        job.raise();
        assert!(job.is_interrupted());
    }

    #[test]
    fn only_what_was_asked_for_is_noted() {
        let decided = |name: &str, verdict| Decided::new(name, crate::answer::Kind::Ltl, verdict);
        let mut board = Board::default();
        board.note(&decided("p", Verdict::Holds));
        assert!(board.properties.is_empty());
        board.properties = vec![decided("p", Verdict::Unknown), decided("q", Verdict::Unknown)];
        board.note(&decided("q", Verdict::Holds));
        board.note(&decided("other", Verdict::Holds));
        let noted: Vec<Verdict> = board.properties.iter().map(|p| p.verdict).collect();
        assert_eq!(noted, [Verdict::Unknown, Verdict::Holds]);
    }

    #[test]
    fn a_job_within_another_notes_apart_and_ends_with_it() {
        let job = Interrupt::default();
        let within = job.apart();
        within.phase("searching");
        assert_eq!(job.board().phase, "");
        job.raise();
        assert!(within.is_interrupted());
    }

    #[test]
    fn work_that_asks_sees_its_memory() {
        let (small, large) = (Interrupt::default(), Interrupt::default());
        small.limit_memory(1);
        large.limit_memory(u64::MAX);
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert_eq!((small.asked(), large.asked()), (Some(Stop::Memory), None));
    }
}
