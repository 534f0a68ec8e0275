//! A set of processes, a bit for each: a row of requirements, one for each process.

use space::Edges;
use system::Pid;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pids([u64; Pids::WORDS]);

impl Pids {
    pub const WORDS: usize = 4;

    pub fn insert(&mut self, pid: Pid) {
        self.0[pid / 64] |= 1 << (pid % 64);
    }

    pub fn is_empty(&self) -> bool {
        *self == Pids::default()
    }

    /// The last edge meets what these are owed.
    pub fn meet(&self, out: &mut Edges) {
        if out.wants_fairness {
            out.meets.extend_from_slice(&self.0);
        }
    }

    /// The state asks for what this process is owed.
    pub fn ask(pid: Pid, out: &mut Edges) {
        out.asks[pid / 64] |= 1 << (pid % 64);
    }
}
