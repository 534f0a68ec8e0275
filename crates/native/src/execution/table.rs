//! The table of operations: from the numbers of a request to what they mean, family by family.

use super::Execution;
use super::names::SetName;
use crate::objects::condition::{Ends, Wait};
use crate::objects::files::locks::{How, Range};
use crate::objects::files::{Call, Query, fifo, locks};
use crate::objects::queue::Receive;
use crate::objects::signal::{Action, Does as Reaction, Kill, Sent};
use crate::objects::{
    POSIX_QUEUE, SYSV_QUEUE, SYSV_SET, barrier, cancel, check, choice, condition, content, files, futex,
    memory, mutex, name, once, process, queue, rwlock, semaphore, signal, sysv, timer, timer_key,
};
use crate::operation::{Class, Key, Operation, Tid};
use crate::protocol::{self as p, Request};
use explore::stateless::Trouble;

/// In `Request::b` of an access to memory: it is plain, and visible because it races; it frees a
/// block.
const PLAIN: i64 = 1;
const FREES: i64 = 3;
/// Of an update: it writes only if it finds what it expects.
const COMPARES: i64 = 1;
/// Of `sigaction`: what is done about a signal is only asked for.
pub(super) const QUERY: i64 = 3;

/// A number in the data of a request; 0 if it is too short.
fn word(data: &[u8], at: usize) -> u64 {
    let bytes = data.get(8 * at..8 * at + 8);
    bytes.and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

impl Execution {
    /// What a request asks for. The choice whether it times out comes in front of it elsewhere.
    pub(super) fn operation(&mut self, who: Tid, r: &Request) -> Result<Operation, Trouble> {
        let process = self.thread(who).process;
        Ok(match r.op {
            p::OP_MUTEX_INIT..=p::OP_MUTEX_CONSISTENT
            | p::OP_COND_INIT..=p::OP_COND_BROADCAST
            | p::OP_SEM_INIT..=p::OP_SEM_GETVALUE
            | p::OP_RW_INIT..=p::OP_RW_UNLOCK
            | p::OP_BARRIER_INIT..=p::OP_ONCE_DONE => self.on_lock(process, r),
            p::OP_SYSV_OP..=p::OP_SYSV_QUERY => {
                Operation::SysV(sysv::Op { set: r.object, does: set_operation(r) })
            }
            p::OP_SYSV_GET | p::OP_MSG_GET | p::OP_MQ_OPEN..=p::OP_NAME => Operation::Name(self.named(r)),
            p::OP_MSG_SEND..=p::OP_MSG_CONTROL => {
                Operation::Queue(queue::Op { queue: r.object, does: queue_operation(r) })
            }
            p::OP_LOAD..=p::OP_UPDATE => {
                let at = self.key(process, Class::Memory, r.object);
                Operation::Memory(memory::Op { at, size: r.a, does: access(r) })
            }
            p::OP_FUTEX_WAIT | p::OP_FUTEX_WAKE | p::OP_FUTEX_SLEEP => {
                Operation::Futex(self.futex(process, r))
            }
            p::OP_FD_READ..=p::OP_FIFO_OPEN => self.on_descriptor(who, r),
            p::OP_FILE => {
                let touched = self.locate_all(who, &r.data);
                Operation::Content(content::Op { name: r.object, call: r.a, touched })
            }
            p::OP_KILL => Operation::Signal(signal::Op::Kill(self.kill(process, r))),
            p::OP_SIGACTION | p::OP_SIGMASK | p::OP_SIGWAIT..=p::OP_PAUSE => {
                Operation::Signal(signal_operation(r))
            }
            p::OP_TIMER => Operation::Timer(set_timer(process, r)),
            p::OP_SLEEP => Operation::Timer(timer::Op::Sleep),
            p::OP_CANCEL => Operation::Cancel(cancel::Op::Cancel { thread: r.object as Tid }),
            p::OP_TEST_CANCEL => Operation::Cancel(cancel::Op::Test { optional: r.a == 1 }),
            p::OP_TOSS => Operation::Choice(choice::Op::Toss { most: r.a }),
            p::OP_CHECK => Operation::Check(check::Op::Assertion),
            p::OP_CIRCLE => Operation::Check(check::Op::BusyWait { changes: r.b }),
            p::OP_PARENT => {
                let parent = self.model.lives.get(&process).map_or(u64::MAX, |l| l.parent);
                Operation::Life(process::Op::Parent { process: parent })
            }
            _ => Operation::Life(life(who, r)?),
        })
    }

    /// On what threads wait for each other with.
    fn on_lock(&self, process: u64, r: &Request) -> Operation {
        let key = self.key(process, Class::Sync, r.object);
        match r.op {
            p::OP_MUTEX_INIT..=p::OP_MUTEX_CONSISTENT => Operation::Mutex(mutex_operation(key, r)),
            p::OP_COND_INIT..=p::OP_COND_BROADCAST => {
                let mutex = self.key(process, Class::Sync, r.a as u64);
                Operation::Condition(condition_operation(key, mutex, r))
            }
            p::OP_SEM_INIT..=p::OP_SEM_GETVALUE => Operation::Semaphore(semaphore_operation(key, r)),
            p::OP_RW_INIT..=p::OP_RW_UNLOCK => Operation::RwLock(rwlock_operation(key, r)),
            p::OP_ONCE => Operation::Once(once::Op { once: key, does: once::Does::Begin }),
            p::OP_ONCE_DONE => {
                Operation::Once(once::Op { once: key, does: once::Does::Done { ran: r.a == 0 } })
            }
            _ => {
                let does = match r.op {
                    p::OP_BARRIER_INIT => barrier::Does::Init,
                    p::OP_BARRIER_DESTROY => barrier::Does::Destroy,
                    _ => barrier::Does::Wait,
                };
                Operation::Barrier(barrier::Op { barrier: key, count: r.a, does })
            }
        }
    }

    fn futex(&self, process: u64, r: &Request) -> futex::Op {
        let word = self.key(process, Class::Memory, r.object);
        let does = match r.op {
            p::OP_FUTEX_WAIT => futex::Does::Look { word, size: r.a },
            p::OP_FUTEX_WAKE => futex::Does::Wake { most: r.a },
            _ => futex::Does::Sleep,
        };
        futex::Op { queue: self.queue_of_futex(process, r), does }
    }

    fn named(&mut self, r: &Request) -> name::Op {
        let (space, at, does) = match r.op {
            p::OP_SYSV_GET => {
                let does = name::Does::GetSet { count: r.b, flags: r.c };
                (SYSV_SET, self.known.set(SetName::Key(r.a)), does)
            }
            p::OP_MSG_GET => {
                (SYSV_QUEUE, self.known.set(SetName::Key(r.a)), name::Does::GetQueue { flags: r.c })
            }
            p::OP_MQ_OPEN => {
                let (most, longest) = ((r.b & 0xffff) as usize, (r.b >> 16) as usize);
                (POSIX_QUEUE, hash(&r.data), name::Does::OpenQueue { flags: r.a, most, longest })
            }
            p::OP_MQ_UNLINK => (POSIX_QUEUE, hash(&r.data), name::Does::UnlinkQueue),
            _ if r.b == 1 => (r.object, hash(&r.data), name::Does::Unlink),
            _ => (r.object, hash(&r.data), name::Does::Open { flags: r.a }),
        };
        name::Op { name: Key::new(Class::Name, space, at), does }
    }

    fn on_descriptor(&mut self, who: Tid, r: &Request) -> Operation {
        let thread = self.thread(who);
        let descriptor = Key::new(Class::Descriptor, thread.process, r.object);
        match r.op {
            p::OP_FILE_LOCK => {
                let how = match r.a {
                    1 => How::Shared,
                    2 => How::Exclusive,
                    3 => How::Query { exclusive: r.b & 2 != 0 },
                    _ => How::Unlock,
                };
                let [first, last, family] = [0, 1, 2].map(|at| word(&r.data, at));
                let range = Range { first, last, family };
                let at_once = r.b & 1 != 0;
                Operation::FileLock(locks::Op { descriptor, how, at_once, range, waits: false })
            }
            p::OP_FIFO_OPEN => {
                thread.made += 2;
                let id = (who as u64) << 32 | (thread.made - 2);
                let fifo = word(&r.data, 0);
                Operation::Fifo(fifo::Op { descriptor, flags: r.a as i32, fifo, id, waits: None })
            }
            _ => Operation::File(files::Op { descriptor, call: call(r) }),
        }
    }

    fn kill(&self, process: u64, r: &Request) -> Kill {
        let thread = (r.object as Tid) % p::LIM_SLOTS;
        let thread_alone = (r.b == 1).then_some(thread);
        Kill { process: self.process_of(thread), thread: thread_alone, sent: sent(process, r) }
    }
}

/// In the data: the code and the value.
fn sent(from: u64, r: &Request) -> Sent {
    Sent { signal: r.a, code: word(&r.data, 0) as i64, from, value: word(&r.data, 1) as i64 }
}

fn set_timer(process: u64, r: &Request) -> timer::Op {
    let sends = (r.a != 0).then(|| Kill { process, thread: None, sent: sent(process, r) });
    timer::Op::Set { timer: timer_key(process, r.object), sends, repeats: r.b == 1 }
}

fn mutex_operation(mutex: Key, r: &Request) -> mutex::Op {
    let does = match r.op {
        p::OP_MUTEX_INIT => mutex::Does::Init,
        p::OP_MUTEX_DESTROY => mutex::Does::Destroy,
        p::OP_MUTEX_TRYLOCK => mutex::Does::TryLock,
        p::OP_MUTEX_UNLOCK => mutex::Does::Unlock,
        p::OP_MUTEX_CONSISTENT => mutex::Does::Consistent,
        _ => mutex::Does::Lock,
    };
    mutex::Op { mutex, kind: r.a, does }
}

fn condition_operation(condition: Key, mutex: Key, r: &Request) -> condition::Op {
    let wait = |ends| condition::Does::Wait(Wait { mutex, kind: r.b, ends });
    let does = match r.op {
        p::OP_COND_INIT => condition::Does::Init,
        p::OP_COND_DESTROY => condition::Does::Destroy,
        p::OP_COND_SIGNAL => condition::Does::Signal,
        p::OP_COND_BROADCAST => condition::Does::Broadcast,
        p::OP_COND_TIMEDWAIT => wait(Ends::TimedOut),
        _ => wait(Ends::Woken),
    };
    condition::Op { condition, does }
}

fn semaphore_operation(semaphore: Key, r: &Request) -> semaphore::Op {
    let does = match r.op {
        p::OP_SEM_INIT => semaphore::Does::Init { named: r.b == 1 },
        p::OP_SEM_DESTROY => semaphore::Does::Destroy,
        p::OP_SEM_TRYWAIT => semaphore::Does::TryWait,
        p::OP_SEM_POST => semaphore::Does::Post,
        p::OP_SEM_GETVALUE => semaphore::Does::GetValue,
        _ => semaphore::Does::Wait,
    };
    semaphore::Op { semaphore, value: r.a, does }
}

fn rwlock_operation(lock: Key, r: &Request) -> rwlock::Op {
    let does = match r.op {
        p::OP_RW_INIT => rwlock::Does::Init,
        p::OP_RW_DESTROY => rwlock::Does::Destroy,
        p::OP_RW_READ | p::OP_RW_TIMEDREAD => rwlock::Does::Read,
        p::OP_RW_TRYREAD => rwlock::Does::TryRead,
        p::OP_RW_TRYWRITE => rwlock::Does::TryWrite,
        p::OP_RW_UNLOCK => rwlock::Does::Unlock,
        _ => rwlock::Does::Write,
    };
    rwlock::Op { lock, prefers_writers: r.a == 1, does }
}

fn set_operation(r: &Request) -> sysv::Does {
    match r.op {
        p::OP_SYSV_OP => sysv::Does::Operate(sysv::buffers(&r.data)),
        p::OP_SYSV_SETVAL => sysv::Does::SetValue { index: r.a as u64, value: r.b },
        p::OP_SYSV_GETVAL => sysv::Does::GetValue { index: r.a as u64 },
        p::OP_SYSV_REMOVE => sysv::Does::Remove,
        p::OP_SYSV_SETALL => {
            sysv::Does::SetAll(r.data.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect())
        }
        p::OP_SYSV_GETALL => sysv::Does::GetAll,
        _ => sysv::Does::Query { count: r.b == 3 },
    }
}

fn queue_operation(r: &Request) -> queue::Does {
    let waits = r.b & 1 == 0;
    match r.op {
        p::OP_MSG_SEND => queue::Does::Send { kind: r.a, waits, text: r.data.clone() },
        p::OP_MSG_RECEIVE => {
            let (cuts, except, room) = (r.b & 2 != 0, r.b & 4 != 0, (r.b >> 8) as usize);
            queue::Does::Receive(Receive { kind: r.a, waits, cuts, except, room })
        }
        _ if r.a == 0 => queue::Does::Remove,
        _ if r.a == 1 => queue::Does::Query,
        _ => queue::Does::Limit(r.b),
    }
}

fn access(r: &Request) -> memory::Does {
    let plain = r.b & PLAIN != 0;
    match r.op {
        p::OP_LOAD => memory::Does::Load { plain },
        p::OP_STORE if r.b == FREES => memory::Does::Free,
        p::OP_STORE => memory::Does::Store { plain },
        _ => memory::Does::Update { compares: r.b == COMPARES },
    }
}

fn call(r: &Request) -> Call {
    let (flags, data, forever) = (r.b, || r.data.clone(), r.b == p::FD_FOREVER);
    match r.op {
        p::OP_FD_READ => Call::Read { most: r.a, flags },
        p::OP_FD_WRITE => Call::Write { data: data(), flags },
        p::OP_FD_CLOSE => Call::Close,
        p::OP_FD_FLAGS => Call::SetNonblock(r.a != 0),
        p::OP_FD_SHUT => Call::Shutdown { how: r.a },
        p::OP_FD_QUERY => Call::Query(match r.a {
            1 => Query::Capacity,
            2 => Query::Nonblock,
            _ => Query::Readable,
        }),
        p::OP_FD_POLL => Call::Poll { entries: data(), forever },
        p::OP_EPOLL_CTL => Call::EpollControl { command: r.a, number: r.b as u64, data: data() },
        p::OP_EPOLL_WAIT => Call::EpollWait { places: r.a, forever },
        p::OP_MQ_SEND => Call::Send { priority: r.a, text: data(), flags },
        p::OP_MQ_RECEIVE => Call::Receive { room: r.a, flags },
        _ => Call::Attributes,
    }
}

fn signal_operation(r: &Request) -> signal::Op {
    match r.op {
        p::OP_SIGACTION => {
            let does = match r.b & 3 {
                1 => Reaction::Ignores,
                2 => Reaction::Handles,
                _ => Reaction::Usual,
            };
            let action = Action { does, flags: r.b >> 2, mask: word(&r.data, 0) };
            signal::Op::Action { signal: r.a, action: (r.b != QUERY).then_some(action) }
        }
        p::OP_SIGMASK => signal::Op::Mask(r.a as u64),
        p::OP_SUSPEND => signal::Op::Suspend(r.a as u64),
        p::OP_SIGWAIT => signal::Op::Wait { set: r.a as u64, at_once: r.b == 2 },
        p::OP_SIGPENDING => signal::Op::Pending,
        _ => signal::Op::Pause,
    }
}

fn life(who: Tid, r: &Request) -> Result<process::Op, Trouble> {
    Ok(match r.op {
        p::OP_CREATE => process::Op::Fork,
        p::OP_LAST => process::Op::Last,
        p::OP_JOIN => process::Op::Join { thread: r.object as Tid },
        p::OP_TRYJOIN => process::Op::TryJoin { thread: r.object as Tid },
        p::OP_EXIT_THREAD => process::Op::ExitThread { thread: who },
        p::OP_EXIT_PROCESS => process::Op::Exit { status: r.a },
        p::OP_WAIT => {
            process::Op::Wait(process::Wait { child: r.a, at_once: r.b & 1 != 0, keeps: r.b & 2 != 0 })
        }
        other => return Err(Trouble::Uncontrolled(format!("request {other}, which has no meaning here"))),
    })
}

/// Of a name; 40 bits, so that more can be put beside it.
pub(super) fn hash(name: &[u8]) -> u64 {
    let mix = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3);
    name.iter().fold(0xcbf2_9ce4_8422_2325, mix) >> 24
}
