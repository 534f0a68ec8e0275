//! Visible operations of threads. What they touch, and what depends on what, is said in
//! [`objects::touch`]; `objects/commute.rs` checks it against Definition 1 of the paper on
//! everything small.

use crate::objects::Model;
use crate::protocol as p;
pub use objects::{Access, Class, Footprint, Key, Outcome, Tid, Touch, dependent};
use std::sync::{Arc, Mutex, PoisonError};

/// A visible operation that a thread is about to execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// One of the `OP_…`, or of the later phases below.
    pub kind: u32,
    pub key: Key,
    /// The second object: the mutex of a condition variable.
    pub with: Option<Key>,
    pub a: i64,
    pub b: i64,
    pub data: Vec<u8>,
    /// It would end by itself some time: being blocked here does not last.
    pub expires: bool,
    /// The thread may be cancelled here.
    pub point: bool,
    /// Its time is up: it is done at once or not at all.
    pub late: bool,
    /// If sleeping orders: since when it can be done, and when its time is up; 0 if that is not
    /// known.
    pub ready: u64,
    pub until: u64,
    /// The operation behind a choice whether it times out.
    pub behind: Option<Box<Op>>,
    pub aftermath: SideEffects,
    /// Some place in the code races, with whatever: the memory of objects counts.
    pub heeds_memory: bool,
    pub process: u64,
    pub pc: u64,
    pub stack: Vec<u64>,
}

/// Second phase of a wait on a condition variable: woken, it takes the mutex again.
pub const RELOCK: u32 = 1000;
/// Second phase of a wait at a barrier.
pub const LEAVE: u32 = 1001;

/// Second phase of a wait for a signal with another mask.
pub const SUSPENDED: u32 = 1002;
/// On the way out of the kernel: pending signals are taken. `b` and `data` are the answer of the
/// operation before.
pub const TAKE: u32 = 1003;
/// Second phase of a lock on a file, and of the opening of a FIFO: it waits.
pub const LOCK_WAITS: u32 = 1005;
pub const FIFO_WAITS: u32 = 1006;
/// Second phase of a writer's lock on a read-write lock that prefers writers.
pub const RW_WAITS: u32 = 1007;
/// A timer fires: the operation of no thread.
pub const FIRE: u32 = 1004;

/// In `Op::b` of a wait on a condition variable: it may end, or ends, by itself.
pub const SPURIOUS: i64 = 2;

/// In `Op::b` of an access to memory: it is plain, and visible because it races; it frees a block.
pub const PLAIN: i64 = 1;
pub const FREES: i64 = 3;
/// In `Op::b` of an update: it writes only if it finds what it expects.
pub const COMPARES: i64 = 1;

type Change = Arc<dyn Fn(&mut Model) + Send + Sync>;

/// What happened to objects without being a transition: by which thread, as which of its
/// operations, and what. It happens once.
#[derive(Clone)]
pub struct EnvironmentMove {
    pub id: (Tid, u64),
    change: Change,
}

impl EnvironmentMove {
    pub fn new(id: (Tid, u64), change: impl Fn(&mut Model) + Send + Sync + 'static) -> EnvironmentMove {
        EnvironmentMove { id, change: Arc::new(change) }
    }

    pub fn happen(&self, model: &mut Model) {
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
pub struct SideEffects {
    pub before: Vec<EnvironmentMove>,
    behind: Arc<Mutex<Vec<EnvironmentMove>>>,
}

impl SideEffects {
    pub fn after(before: Vec<EnvironmentMove>) -> SideEffects {
        SideEffects { before, ..SideEffects::default() }
    }

    pub fn push(&self, happening: EnvironmentMove) {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner).push(happening);
    }

    pub fn happen(&self, model: &mut Model) {
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

impl Op {
    /// The same operation: what a thread does next in a replay must be this again.
    pub fn same(&self, other: &Op) -> bool {
        // What a call on a file touches may depend on when it is asked.
        let data = self.data == other.data || self.kind == p::OP_FILE && self.a == other.a;
        self.kind == other.kind && self.key == other.key && self.with == other.with && data
    }

    /// A wait on a condition variable that may end by itself.
    pub fn is_spurious(&self) -> bool {
        self.kind == p::OP_COND_WAIT && self.b == SPURIOUS
    }

    /// POSIX leaves open whether a thread that is cancelled ends here.
    pub fn is_optional_point(&self) -> bool {
        self.kind == p::OP_TEST_CANCEL && self.a == 1
    }

    /// A plain access to memory, visible because it races.
    pub fn is_plain_access(&self) -> bool {
        matches!(self.kind, p::OP_LOAD | p::OP_STORE) && self.b & PLAIN != 0
    }

    /// The memory of the objects that it is an operation on, which must be there; as much of it as
    /// is sure to be theirs. Who is woken does not need what it was woken over: that may be
    /// destroyed as soon as no thread waits for it.
    pub fn memory_of_objects(&self) -> impl Iterator<Item = (Key, u32)> {
        // A mutex may be a spin lock; a lock of a stream lies beside it.
        let (lock, with) = ((self.key, 4), self.with.map(|mutex| (mutex, 4)));
        let all = match self.kind {
            p::OP_MUTEX_INIT | p::OP_MUTEX_DESTROY | p::OP_MUTEX_LOCK | p::OP_MUTEX_TRYLOCK => {
                [Some(lock), None]
            }
            p::OP_MUTEX_UNLOCK | p::OP_MUTEX_CONSISTENT | p::OP_ONCE | p::OP_ONCE_DONE => [Some(lock), None],
            p::OP_COND_INIT | p::OP_COND_DESTROY | p::OP_COND_SIGNAL | p::OP_COND_BROADCAST => {
                [Some((self.key, size_of::<libc::pthread_cond_t>() as u32)), None]
            }
            p::OP_COND_WAIT => [Some((self.key, size_of::<libc::pthread_cond_t>() as u32)), with],
            RELOCK => [None, with],
            p::OP_SEM_INIT
            | p::OP_SEM_DESTROY
            | p::OP_SEM_WAIT
            | p::OP_SEM_TRYWAIT
            | p::OP_SEM_POST
            | p::OP_SEM_GETVALUE => [Some((self.key, size_of::<libc::sem_t>() as u32)), None],
            p::OP_RW_INIT
            | p::OP_RW_DESTROY
            | p::OP_RW_READ
            | p::OP_RW_WRITE
            | p::OP_RW_TRYREAD
            | p::OP_RW_TRYWRITE
            | p::OP_RW_UNLOCK
            | RW_WAITS => [Some((self.key, size_of::<libc::pthread_rwlock_t>() as u32)), None],
            p::OP_BARRIER_INIT | p::OP_BARRIER_WAIT | p::OP_BARRIER_DESTROY => {
                [Some((self.key, size_of::<libc::pthread_barrier_t>() as u32)), None]
            }
            _ => [None, None],
        };
        all.into_iter().flatten().filter(|(key, _)| key.class == Class::Sync && key.at.is_multiple_of(4))
    }

    /// In which call a thread stands that waits for this.
    pub fn call(&self) -> &'static str {
        match self.kind {
            RELOCK => "cond_wait",
            RW_WAITS => "rwlock_wrlock",
            _ => self.name(),
        }
    }

    /// What people call it.
    pub fn name(&self) -> &'static str {
        match self.kind {
            p::OP_EXIT_PROCESS => "exit",
            p::OP_EXIT_THREAD => "thread exit",
            p::OP_CREATE => "fork",
            p::OP_LAST => "return of a thread",
            p::OP_JOIN => "pthread_join",
            p::OP_CANCEL => "pthread_cancel",
            p::OP_TEST_CANCEL => "pthread_testcancel",
            p::OP_KILL => "kill",
            p::OP_SIGACTION => "sigaction",
            p::OP_SIGMASK => "sigprocmask",
            p::OP_SIGWAIT => "sigwait",
            p::OP_SIGPENDING => "sigpending",
            p::OP_SUSPEND => "sigsuspend",
            SUSPENDED => "sigsuspend waits",
            p::OP_PAUSE => "pause",
            p::OP_SLEEP => "sleep",
            p::OP_TIMER => "set timer",
            p::OP_TRYJOIN => "pthread_tryjoin",
            p::OP_FILE_LOCK => "file lock",
            LOCK_WAITS => "file lock waits",
            p::OP_FIFO_OPEN => "open of a FIFO",
            FIFO_WAITS => "open of a FIFO waits",
            TAKE => "return with a signal",
            FIRE => "timer fires",
            p::OP_FUTEX_WAIT => "futex_wait",
            p::OP_FUTEX_SLEEP => "futex_wait sleeps",
            p::OP_FUTEX_WAKE => "futex_wake",
            p::OP_WAIT => "wait",
            p::OP_TOSS if self.behind.as_ref().is_some_and(|b| b.is_spurious()) => "wake by itself?",
            p::OP_TOSS if self.behind.is_some() => "time out?",
            p::OP_TOSS => "toss",
            p::OP_ASSERT | p::OP_CHECK => "assert",
            p::OP_CRASH => "crash",
            p::OP_CIRCLE => "a loop that only waits",
            p::OP_MUTEX_INIT => "mutex_init",
            p::OP_COND_INIT => "cond_init",
            p::OP_SEM_INIT => "sem_init",
            p::OP_RW_INIT => "rwlock_init",
            p::OP_BARRIER_INIT => "barrier_init",
            p::OP_MUTEX_DESTROY => "mutex_destroy",
            p::OP_MUTEX_LOCK => "mutex_lock",
            p::OP_MUTEX_TRYLOCK => "mutex_trylock",
            p::OP_MUTEX_UNLOCK => "mutex_unlock",
            p::OP_MUTEX_CONSISTENT => "mutex_consistent",
            p::OP_COND_DESTROY => "cond_destroy",
            p::OP_COND_WAIT | p::OP_COND_TIMEDWAIT => "cond_wait",
            p::OP_COND_SIGNAL => "cond_signal",
            p::OP_COND_BROADCAST => "cond_broadcast",
            p::OP_SEM_DESTROY => "sem_destroy",
            p::OP_SEM_WAIT => "sem_wait",
            p::OP_SEM_TRYWAIT => "sem_trywait",
            p::OP_SEM_POST => "sem_post",
            p::OP_SEM_GETVALUE => "sem_getvalue",
            p::OP_RW_DESTROY => "rwlock_destroy",
            p::OP_RW_READ => "rwlock_rdlock",
            p::OP_RW_WRITE => "rwlock_wrlock",
            RW_WAITS => "rwlock_wrlock waits",
            p::OP_RW_TRYREAD => "rwlock_tryrdlock",
            p::OP_RW_TRYWRITE => "rwlock_trywrlock",
            p::OP_RW_UNLOCK => "rwlock_unlock",
            p::OP_BARRIER_DESTROY => "barrier_destroy",
            p::OP_BARRIER_WAIT | LEAVE => "barrier_wait",
            p::OP_ONCE => "once",
            p::OP_ONCE_DONE => "once done",
            p::OP_SYSV_OP => "semop",
            p::OP_SYSV_GET => "semget",
            p::OP_SYSV_REMOVE => "semctl(IPC_RMID)",
            p::OP_SYSV_SETVAL => "semctl(SETVAL)",
            p::OP_SYSV_SETALL => "semctl(SETALL)",
            p::OP_SYSV_GETVAL => "semctl(GETVAL)",
            p::OP_SYSV_GETALL | p::OP_SYSV_QUERY => "semctl",
            p::OP_LOAD => "load",
            p::OP_STORE if self.b == FREES => "free",
            p::OP_STORE => "store",
            p::OP_UPDATE => "update",
            p::OP_FILE => file_call(self.a),
            p::OP_FD_READ => "read",
            p::OP_FD_WRITE => "write",
            p::OP_FD_CLOSE => "close",
            p::OP_FD_FLAGS => "fcntl(F_SETFL)",
            p::OP_FD_SHUT => "shutdown",
            p::OP_FD_QUERY if self.a == 2 => "look at O_NONBLOCK",
            p::OP_FD_QUERY => "ioctl",
            p::OP_FD_POLL => "poll",
            p::OP_EPOLL_CTL => "epoll_ctl",
            p::OP_EPOLL_WAIT => "epoll_wait",
            p::OP_MSG_GET => "msgget",
            p::OP_MSG_SEND => "msgsnd",
            p::OP_MSG_RECEIVE => "msgrcv",
            p::OP_MSG_CONTROL => "msgctl",
            p::OP_MQ_OPEN => "mq_open",
            p::OP_MQ_UNLINK => "mq_unlink",
            p::OP_MQ_SEND => "mq_send",
            p::OP_MQ_RECEIVE => "mq_receive",
            p::OP_MQ_ATTRIBUTES => "mq_getattr",
            p::OP_NAME if self.b == 1 => "unlink",
            p::OP_NAME => "open",
            RELOCK => "cond_wait wakes",
            _ => "operation",
        }
    }
}

/// A system call on a file.
fn file_call(number: i64) -> &'static str {
    match number {
        libc::SYS_read | libc::SYS_readv => "file read",
        libc::SYS_pread64 | libc::SYS_preadv | libc::SYS_preadv2 => "file pread",
        libc::SYS_write | libc::SYS_writev => "file write",
        libc::SYS_pwrite64 | libc::SYS_pwritev | libc::SYS_pwritev2 => "file pwrite",
        libc::SYS_lseek => "file seek",
        libc::SYS_sendfile | libc::SYS_copy_file_range => "file copy",
        libc::SYS_ftruncate | libc::SYS_truncate | libc::SYS_fallocate => "file truncate",
        libc::SYS_open | libc::SYS_openat | libc::SYS_creat => "file open",
        libc::SYS_unlink | libc::SYS_unlinkat | libc::SYS_rmdir => "file unlink",
        libc::SYS_rename | libc::SYS_renameat | libc::SYS_renameat2 => "file rename",
        libc::SYS_link | libc::SYS_linkat | libc::SYS_symlink | libc::SYS_symlinkat => "file link",
        libc::SYS_mkdir | libc::SYS_mkdirat => "mkdir",
        libc::SYS_getdents64 => "readdir",
        libc::SYS_chdir | libc::SYS_fchdir => "chdir",
        libc::SYS_stat | libc::SYS_lstat | libc::SYS_fstat | libc::SYS_newfstatat | libc::SYS_statx => {
            "file stat"
        }
        libc::SYS_access | libc::SYS_faccessat | libc::SYS_faccessat2 => "file access",
        libc::SYS_close => "close",
        libc::SYS_dup | libc::SYS_dup3 | libc::SYS_fcntl => "descriptor call",
        -1 => "library state",
        _ => "file call",
    }
}
