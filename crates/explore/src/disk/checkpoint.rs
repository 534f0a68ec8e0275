//! What a search writes down to go on later: which files there are, how far it is, what it has
//! found. The states themselves are in the log and in runs.

use super::block::{number, put_number};
use super::folder::FileId;
use super::log::LOG;
use super::run::About;
use crate::findings::{Findings, Reported};
use crate::report::Violation;
use crate::store::hash;
use space::{Ending, Fault, Run, Start, Step};

/// Of this layout.
const VERSION: u64 = 1;

/// Everything but the states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub next_file: FileId,
    /// The log, and the part of it that is in runs.
    pub log: About,
    pub flushed: u64,
    /// Runs of states that are known, and of candidates.
    pub known: Vec<About>,
    pub candidates: Vec<About>,
    /// The block of the last level to expand next, and how many of its states are expanded.
    pub at: u64,
    pub skip: u64,
    pub found: Found,
    /// What the stepper noted.
    pub seen: Vec<u64>,
}

/// What was counted and found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub transitions: u64,
    pub deadlocks: u64,
    pub assertions: u64,
    pub faults: u64,
    pub cut: bool,
    pub runs: Vec<Run>,
    pub reported: Vec<Reported>,
}

impl Found {
    pub fn of(findings: &Findings<'_>) -> Found {
        let report = &findings.report;
        Found {
            transitions: report.transitions,
            deadlocks: report.deadlocks,
            assertions: report.assertions,
            faults: report.faults,
            cut: report.cut,
            runs: report.violations.iter().map(|violation| violation.run.clone()).collect(),
            reported: findings.reported.iter().cloned().collect(),
        }
    }

    /// Makes findings what they were.
    pub fn restore(self, findings: &mut Findings<'_>) {
        let report = &mut findings.report;
        (report.transitions, report.cut) = (self.transitions, self.cut);
        (report.deadlocks, report.assertions, report.faults) = (self.deadlocks, self.assertions, self.faults);
        report.violations = self.runs.into_iter().map(|run| Violation { run, shortest: true }).collect();
        findings.reported = self.reported.into_iter().collect();
    }
}

impl Checkpoint {
    /// The files it needs.
    pub fn files(&self) -> Vec<FileId> {
        let runs = self.known.iter().chain(&self.candidates).map(|about| about.file);
        runs.chain([LOG]).collect()
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Out::default();
        out.number(VERSION);
        out.number(self.next_file);
        out.about(&self.log);
        out.number(self.flushed);
        out.list(&self.known, Out::about);
        out.list(&self.candidates, Out::about);
        [self.at, self.skip].iter().for_each(|n| out.number(*n));
        let found = &self.found;
        let counts = [found.transitions, found.deadlocks, found.assertions, found.faults, found.cut.into()];
        counts.iter().for_each(|n| out.number(*n));
        out.list(&found.runs, Out::run);
        out.list(&found.reported, Out::reported);
        out.list(&self.seen, |out, word| out.number(*word));
        let checksum = hash(&out.0);
        out.0.extend_from_slice(&checksum.to_le_bytes());
        out.0
    }

    /// `None` if it is not what was written.
    pub fn decode(bytes: &[u8]) -> Option<Checkpoint> {
        let (body, checksum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        if hash(body).to_le_bytes() != checksum {
            return None;
        }
        let mut from = In(body);
        if from.number()? != VERSION {
            return None;
        }
        let checkpoint = Checkpoint {
            next_file: from.number()?,
            log: from.about()?,
            flushed: from.number()?,
            known: from.list(In::about)?,
            candidates: from.list(In::about)?,
            at: from.number()?,
            skip: from.number()?,
            found: from.found()?,
            seen: from.list(In::number)?,
        };
        from.0.is_empty().then_some(checkpoint)
    }
}

#[derive(Default)]
struct Out(Vec<u8>);

impl Out {
    fn number(&mut self, number: u64) {
        put_number(number, &mut self.0);
    }

    fn list<T>(&mut self, all: &[T], mut put: impl FnMut(&mut Out, &T)) {
        self.number(all.len() as u64);
        all.iter().for_each(|one| put(self, one));
    }

    fn about(&mut self, about: &About) {
        [about.file, about.bytes, about.states, about.checksum].iter().for_each(|n| self.number(*n));
    }

    fn fault(&mut self, fault: &Fault) {
        let (kind, number) = match fault {
            Fault::Assertion => (0, 0),
            Fault::Runtime(n) => (1, u64::from(*n)),
            Fault::Error(n) => (2, u64::from(*n)),
            Fault::Invariant(n) => (3, u64::from(*n)),
            Fault::Property => (4, 0),
        };
        [kind, number].iter().for_each(|n| self.number(*n));
    }

    /// A fault and its place; a deadlock is no fault.
    fn reported(&mut self, reported: &Reported) {
        match reported {
            Reported::Deadlock => self.number(0),
            Reported::Fault(fault, place) => {
                self.number(1);
                self.fault(fault);
                self.number(*place);
            }
        }
    }

    /// A run of a search for safety: from a numbered state, to a deadlock or a fault.
    fn run(&mut self, run: &Run) {
        self.number(if let Start::Number(number) = run.start { number as u64 } else { 0 });
        self.list(&run.steps, Out::step);
        match &run.ending {
            Ending::Fault(fault) => {
                self.number(1);
                self.fault(fault);
            }
            _ => self.number(0),
        }
    }

    fn step(&mut self, step: &Step) {
        self.number(step.actor as u64);
        self.path(&step.path);
        let partner: Vec<_> = step.partner.iter().collect();
        self.list(&partner, |out, (actor, path)| {
            out.number(*actor as u64);
            out.path(path);
        });
    }

    fn path(&mut self, path: &[usize]) {
        self.list(path, |out, n| out.number(*n as u64));
    }
}

struct In<'a>(&'a [u8]);

impl In<'_> {
    fn number(&mut self) -> Option<u64> {
        number(&mut self.0)
    }

    fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    fn list<T>(&mut self, mut take: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count: usize = self.small()?;
        // Each takes a byte at least.
        (count <= self.0.len()).then_some(())?;
        (0..count).map(|_| take(self)).collect()
    }

    fn about(&mut self) -> Option<About> {
        let (file, bytes) = (self.number()?, self.number()?);
        Some(About { file, bytes, states: self.number()?, checksum: self.number()? })
    }

    fn found(&mut self) -> Option<Found> {
        Some(Found {
            transitions: self.number()?,
            deadlocks: self.number()?,
            assertions: self.number()?,
            faults: self.number()?,
            cut: self.number()? != 0,
            runs: self.list(In::run)?,
            reported: self.list(In::reported)?,
        })
    }

    fn fault(&mut self) -> Option<Fault> {
        Some(match (self.number()?, self.number()?) {
            (0, _) => Fault::Assertion,
            (1, n) => Fault::Runtime(n.try_into().ok()?),
            (2, n) => Fault::Error(n.try_into().ok()?),
            (3, n) => Fault::Invariant(n.try_into().ok()?),
            (4, _) => Fault::Property,
            _ => return None,
        })
    }

    fn reported(&mut self) -> Option<Reported> {
        match self.number()? {
            0 => Some(Reported::Deadlock),
            _ => Some(Reported::Fault(self.fault()?, self.number()?)),
        }
    }

    fn run(&mut self) -> Option<Run> {
        let start = Start::Number(self.small()?);
        let steps = self.list(In::step)?;
        let ending = match self.number()? {
            0 => Ending::Deadlock,
            _ => Ending::Fault(self.fault()?),
        };
        Some(Run { start, steps, ending })
    }

    fn step(&mut self) -> Option<Step> {
        let (actor, path) = (self.small()?, self.path()?);
        let partner = self.list(|from| Some((from.small()?, from.path()?)))?.pop();
        Some(Step { actor, path, partner })
    }

    fn path(&mut self) -> Option<Vec<usize>> {
        self.list(In::small)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Checkpoint {
        let about = |file| About { file, bytes: 10 + file, states: 7, checksum: u64::MAX - file };
        let step = Step { actor: 3, path: vec![1, 200], partner: Some((1, vec![0])) };
        let run = |ending| Run { start: Start::Number(2), steps: vec![step.clone(), Step::IDLE], ending };
        Checkpoint {
            next_file: 9,
            log: about(0),
            flushed: 5,
            known: vec![about(1), about(2)],
            candidates: vec![about(8)],
            at: 4,
            skip: 3,
            found: Found {
                transitions: 1 << 40,
                deadlocks: 1,
                assertions: 2,
                faults: 3,
                cut: true,
                runs: vec![run(Ending::Deadlock), run(Ending::Fault(Fault::Runtime(9)))],
                reported: vec![Reported::Deadlock, Reported::Fault(Fault::Assertion, 77)],
            },
            seen: vec![0, u64::MAX],
        }
    }

    #[test]
    fn a_checkpoint_comes_back_as_it_was_or_not_at_all() {
        let sample = sample();
        let bytes = sample.encode();
        assert_eq!(Checkpoint::decode(&bytes), Some(sample.clone()));
        assert_eq!(sample.files(), [1, 2, 8, 0]);
        for at in 0..bytes.len() {
            assert_eq!(Checkpoint::decode(&bytes[..at]), None);
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                assert_eq!(Checkpoint::decode(&other), None);
            }
        }
    }
}
