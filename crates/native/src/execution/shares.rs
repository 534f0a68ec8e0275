//! Which memory several threads or processes share: it may carry what no operation shows, if code
//! that accesses it is not instrumented.

use super::Execution;
use super::names::Region;
use crate::operation::Tid;
use std::collections::BTreeSet;

/// What was shared in some run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    /// Threads of one process at the same time; 0 or at least 2.
    pub threads: usize,
    /// Processes that see one mapping; the same.
    pub processes: usize,
    /// There were several processes, whatever they see of each other.
    pub(crate) forked: bool,
    /// Libraries that the program has loaded by itself.
    pub(crate) loaded: BTreeSet<String>,
    /// Functions of the C library that it has looked up by name.
    pub called: BTreeSet<String>,
}

impl Shares {
    /// Whether any memory is shared.
    pub fn any(&self) -> bool {
        self.threads > 0 || self.processes > 0
    }

    /// Who shares, for people.
    pub fn who(&self) -> String {
        match self {
            Shares { threads: 0, processes, .. } => format!("{processes} processes"),
            Shares { threads, .. } => format!("{threads} threads"),
        }
    }
}

impl Execution {
    /// A thread or process was made.
    pub(super) fn share_with(&mut self, child: Tid, forked: bool) {
        let process = self.process_of(child);
        if !forked {
            let living = self.threads.values().filter(|t| t.process == process && t.lives()).count();
            self.shares.threads = self.shares.threads.max(living);
            return;
        }
        self.shares.forked = true;
        let regions: Vec<Region> = self.spaces.get(&process).map(|s| s.shared.clone()).unwrap_or_default();
        regions.iter().for_each(|region| self.share(region.id));
    }

    /// A process sees this memory.
    pub(super) fn share(&mut self, id: u64) {
        let sees = |s: &super::names::Space| s.shared.iter().any(|r| r.id == id);
        let seeing = self.spaces.values().filter(|s| sees(s)).count();
        if seeing > 1 {
            self.shares.processes = self.shares.processes.max(seeing);
        }
    }
}
