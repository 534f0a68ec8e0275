//! Visible operations of threads. What they touch, and what depends on what, is said in
//! [`objects::access`]; `objects/commute.rs` checks it against Definition 1 of the paper on
//! everything small.

use crate::objects::{
    Family, Model, barrier, cancel, check, choice, condition, content, files, futex, memory, mutex, name,
    once, process, queue, rwlock, semaphore, signal, sysv, timer,
};
pub use objects::{Access, Class, Footprint, Key, ObjectAccess, Outcome, Tid, dependent};
use std::sync::{Arc, Mutex, PoisonError};

/// What a thread does, by the family of the object it does it to. Each family is a file in
/// `objects`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// On a mutex.
    Mutex(mutex::Op),
    /// On a condition variable.
    Condition(condition::Op),
    /// On a semaphore.
    Semaphore(semaphore::Op),
    /// On a lock for readers and writers.
    RwLock(rwlock::Op),
    /// On a barrier.
    Barrier(barrier::Op),
    /// `pthread_once` and its like.
    Once(once::Op),
    /// On a set of System V semaphores.
    SysV(sysv::Op),
    /// On a System V or POSIX message queue.
    Queue(queue::Op),
    /// On a name that several processes know, such as a key of System V.
    Name(name::Op),
    /// An access to shared memory that is a transition.
    Memory(memory::Op),
    /// On a futex.
    Futex(futex::Op),
    /// On a descriptor.
    File(files::Op),
    /// On a lock of a file.
    FileLock(files::locks::Op),
    /// Opening a named pipe.
    Fifo(files::fifo::Op),
    /// A call on a file or folder that threads race for.
    Content(content::Op),
    /// On signals.
    Signal(signal::Op),
    /// Creation and end of threads and processes, and waiting for them.
    Life(process::Op),
    /// Asking a thread to end, and ending because of it.
    Cancel(cancel::Op),
    /// On a timer, and sleeping.
    Timer(timer::Op),
    /// A choice: the program's own, whether a timed operation times out, whether a wait ends by
    /// itself.
    Choice(choice::Op),
    /// What a thread does by itself: an assertion that holds, a loop that only waits.
    Check(check::Op),
}

/// A visible operation that a thread is about to execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// What is to be executed.
    pub operation: Operation,
    /// It would end by itself some time: being blocked here does not last.
    pub(crate) expires: bool,
    /// The thread may be cancelled here.
    pub point: bool,
    /// Its time is up: it is done at once or not at all.
    pub(crate) late: bool,
    /// Some place in the code races, with whatever: the memory of objects counts.
    pub(crate) heeds_memory: bool,
    /// If sleeping orders: since when it can be done; 0 if that is not known.
    pub ready: u64,
    /// If sleeping orders: when its time is up; 0 if that is not known.
    pub until: u64,
    pub(crate) side_effects: SideEffects,
    /// The process of the thread.
    pub process: u64,
    /// The return address of the call.
    pub pc: u64,
    /// Return addresses of the callers, innermost first; empty unless they are wanted.
    pub stack: Vec<u64>,
}

type Change = Arc<dyn Fn(&mut Model) + Send + Sync>;

/// What happened to objects without being a transition: by which thread, as which of its
/// operations, and what. It happens once.
#[derive(Clone)]
pub(crate) struct EnvironmentMove {
    pub id: (Tid, u64),
    change: Change,
}

impl EnvironmentMove {
    pub fn new(id: (Tid, u64), change: impl Fn(&mut Model) + Send + Sync + 'static) -> EnvironmentMove {
        EnvironmentMove { id, change: Arc::new(change) }
    }

    pub(crate) fn happen(&self, model: &mut Model) {
        if model.happened.insert(self.id) {
            (self.change)(model);
        }
    }
}

/// What a run finds out about an operation when it executes it: what its thread did to objects
/// behind it (a child was born, a pipe made, an end went unseen); and what its thread did before
/// it, after waiting for others. It is known to all copies of the operation, and no part of what it
/// is.
#[derive(Clone, Default)]
pub(crate) struct SideEffects {
    pub before: Vec<EnvironmentMove>,
    behind: Arc<Mutex<Vec<EnvironmentMove>>>,
}

impl SideEffects {
    pub fn after(before: Vec<EnvironmentMove>) -> SideEffects {
        SideEffects { before, ..SideEffects::default() }
    }

    pub fn push(&self, environment_move: EnvironmentMove) {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner).push(environment_move);
    }

    pub(crate) fn happen(&self, model: &mut Model) {
        let all = self.behind.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.iter().for_each(|h| h.happen(model));
    }

    /// The objects when the thread comes to the operation, if they are not so yet.
    pub fn ready(&self, model: &Model) -> Option<Model> {
        if self.before.iter().all(|h| model.happened.contains(&h.id)) {
            return None;
        }
        let mut ready = model.clone();
        self.before.iter().for_each(|h| h.happen(&mut ready));
        Some(ready)
    }
}

impl PartialEq for SideEffects {
    fn eq(&self, _: &SideEffects) -> bool {
        true
    }
}
impl Eq for SideEffects {}

impl std::fmt::Debug for SideEffects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

impl Operation {
    /// The family, which has the semantics.
    pub fn family(&self) -> &dyn Family {
        match self {
            Operation::Mutex(op) => op,
            Operation::Condition(op) => op,
            Operation::Semaphore(op) => op,
            Operation::RwLock(op) => op,
            Operation::Barrier(op) => op,
            Operation::Once(op) => op,
            Operation::SysV(op) => op,
            Operation::Queue(op) => op,
            Operation::Name(op) => op,
            Operation::Memory(op) => op,
            Operation::Futex(op) => op,
            Operation::File(op) => op,
            Operation::FileLock(op) => op,
            Operation::Fifo(op) => op,
            Operation::Content(op) => op,
            Operation::Signal(op) => op,
            Operation::Life(op) => op,
            Operation::Cancel(op) => op,
            Operation::Timer(op) => op,
            Operation::Choice(op) => op,
            Operation::Check(op) => op,
        }
    }

    /// The mutex that a wait on a condition variable takes again.
    pub(crate) fn relocks(&self) -> Option<Key> {
        match self {
            Operation::Condition(condition::Op { does: condition::Does::Relock(wait), .. }) => {
                Some(wait.mutex)
            }
            _ => None,
        }
    }

    /// A wait on a condition variable that may end by itself.
    pub(crate) fn is_spurious(&self) -> bool {
        matches!(self, Operation::Condition(op) if op.is_spurious())
    }

    /// POSIX leaves open whether a thread that is cancelled ends here.
    pub(crate) fn is_optional_point(&self) -> bool {
        matches!(self, Operation::Cancel(cancel::Op::Test { optional: true }))
    }

    /// A plain access to memory, visible because it races.
    pub(crate) fn is_plain_access(&self) -> bool {
        matches!(self, Operation::Memory(op) if op.is_plain())
    }

    /// The end of a process.
    pub(crate) fn exits(&self) -> bool {
        matches!(self, Operation::Life(process::Op::Exit { .. }))
    }

    pub(crate) fn joins(&self) -> bool {
        matches!(self, Operation::Life(process::Op::Join { .. }))
    }

    /// A timer fires: the operation of no thread.
    pub(crate) fn fires(&self) -> bool {
        matches!(self, Operation::Timer(timer::Op::Fire { .. }))
    }
}

impl Pending {
    /// The thread goes on with this, without returning to the program.
    pub fn then(&self, operation: Operation) -> Pending {
        Pending { operation, stack: self.stack.clone(), side_effects: self.side_effects.clone(), ..*self }
    }

    /// The object that it is on.
    pub fn key(&self) -> Key {
        self.operation.family().key(self.process)
    }

    /// The second object: the mutex of a condition variable.
    pub fn second(&self) -> Option<Key> {
        self.operation.family().second()
    }

    /// The same operation: what a thread does next in a replay must be this again.
    pub(crate) fn same(&self, other: &Pending) -> bool {
        self.operation.family().same(&other.operation)
    }

    /// The memory of the objects that it is an operation on, which must be there.
    pub(crate) fn memory_of_objects(&self) -> impl Iterator<Item = (Key, u32)> {
        let all = self.operation.family().memory().into_iter().flatten();
        all.filter(|(key, _)| key.class == Class::Sync && key.at.is_multiple_of(4))
    }

    /// In which call a thread stands that waits for this.
    pub fn call(&self) -> &'static str {
        self.operation.family().call()
    }

    /// What people call it.
    pub fn name(&self) -> &'static str {
        self.operation.family().name()
    }
}
