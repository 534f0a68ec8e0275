//! The dependency relation against its definition (Definition 1 of the paper), on everything small:
//! in each state that few operations reach, operations of two threads that touch nothing in common
//! must not enable or disable each other and must end in the same state with the same results,
//! whichever comes first. The check itself is that of all objects ([`check_exhaustively`]); nothing
//! here knows what the operations do.

use super::files::locks::{self, How, Range};
use super::files::{Call, Query, fifo};
use super::process::{Op as Lives, Wait};
use super::queue::Receive;
use super::signal::{Action, Does as Reaction, Kill, Op as Signals, Sent};
use super::timer::Op as Timer;
use super::*;
use crate::protocol as p;
use ::objects::object::{Counts, check_exhaustively, touch_the_same};

/// A thread and what it may do next; threads of one process share its number.
struct Setting {
    threads: Vec<(u64, Vec<Pending>)>,
    start: Model,
}

/// An operation at a cancellation point of process 0.
pub(super) fn op(operation: Operation) -> Pending {
    Pending {
        operation,
        expires: false,
        point: true,
        late: false,
        heeds_memory: false,
        ready: 0,
        until: 0,
        side_effects: Default::default(),
        process: 0,
        pc: 0,
        stack: Vec::new(),
    }
}

fn sync(at: u64) -> Key {
    Key::new(Class::Sync, 0, at)
}

/// All states that few operations reach, no more than this.
fn reachable(start: &Model, threads: &[Vec<Pending>], most: usize) -> Vec<Model> {
    let mut seen = vec![start.clone()];
    let mut at = 0;
    while at < seen.len() {
        for (who, op) in threads.iter().enumerate().flat_map(|(who, ops)| ops.iter().map(move |op| (who, op)))
        {
            for outcome in seen[at].outcomes(who, op) {
                let mut next = seen[at].clone();
                next.perform(who, op, outcome);
                if seen.len() < most && !seen.contains(&next) {
                    seen.push(next);
                }
            }
        }
        at += 1;
    }
    seen
}

/// Descriptors belong to the process of the thread, and it sends what it sends.
fn placed(op: &Pending, process: u64) -> Pending {
    let mut op = Pending { process, ..op.clone() };
    match &mut op.operation {
        Operation::File(files::Op { descriptor, .. })
        | Operation::FileLock(locks::Op { descriptor, .. })
        | Operation::Fifo(fifo::Op { descriptor, .. }) => descriptor.space = process,
        Operation::Signal(Signals::Kill(kill)) => kill.sent.from = process,
        Operation::Timer(Timer::Set { sends: Some(kill), .. }) => {
            (kill.process, kill.sent.from) = (process, process);
        }
        _ => {}
    }
    op
}

fn checked(name: &str, setting: Setting, states: usize) {
    let own = |(process, ops): &(u64, Vec<Pending>)| ops.iter().map(|o| placed(o, *process)).collect();
    let threads: Vec<Vec<Pending>> = setting.threads.iter().map(own).collect();
    let states = reachable(&setting.start, &threads, states);
    assert!(states.len() > 10, "{name}: too few states: {}", states.len());
    let threads: Vec<Vec<&Pending>> = threads.iter().map(|ops| ops.iter().collect()).collect();
    match check_exhaustively(states, &threads, touch_the_same) {
        Ok(Counts { independent, dependent }) => {
            assert!(independent > 100 && dependent > 100, "{name}: {independent}, {dependent} dependent");
        }
        Err(broken) => {
            let (state, [(one, a), (other, b)], why) = *broken;
            panic!("{name}: {why}: {one:?} {a:?}\nand {other:?} {b:?}\nin {state:?}");
        }
    }
}

#[test]
fn locks_conditions_and_semaphores() {
    use condition::{Does, Ends};
    let on = |does| op(Operation::Condition(condition::Op { condition: sync(20), does }));
    let wait = condition::Wait { mutex: sync(10), kind: 0, ends: Ends::Woken };
    let mut all = vec![on(Does::Wait(wait)), on(Does::Relock(wait))];
    let mutex = |at, does| op(Operation::Mutex(mutex::Op { mutex: sync(at), kind: 0, does }));
    let semaphore =
        |at, value, does| op(Operation::Semaphore(semaphore::Op { semaphore: sync(at), value, does }));
    for m in [10, 11] {
        use mutex::Does;
        all.extend([Does::Lock, Does::TryLock, Does::Unlock].map(|does| mutex(m, does)));
    }
    all.extend([Does::Signal, Does::Broadcast].map(on));
    for s in [30, 31] {
        use semaphore::Does;
        let all_of = [Does::Wait, Does::TryWait, Does::Post, Does::GetValue];
        all.extend(all_of.map(|does| semaphore(s, 1, does)));
    }
    let init = semaphore::Does::Init { named: false };
    all.extend([init, semaphore::Does::Destroy].map(|does| semaphore(30, 0, does)));
    all.extend([mutex::Does::Init, mutex::Does::Destroy].map(|does| mutex(10, does)));
    all.push(on(Does::Init));
    let threads = (0..3).map(|_| (0, all.clone())).collect();
    checked("locks", Setting { threads, start: Model::default() }, 150);
}

#[test]
fn read_write_locks_barriers_and_once() {
    use rwlock::Does;
    let lock = |at, prefers_writers, does| {
        op(Operation::RwLock(rwlock::Op { lock: sync(at), prefers_writers, does }))
    };
    let kinds = [Does::Read, Does::Write, Does::TryRead, Does::TryWrite, Does::Unlock];
    let mut all = Vec::from(kinds.map(|does| lock(10, false, does)));
    // Where writers are preferred.
    all.extend(kinds.map(|does| lock(11, true, does)));
    all.push(lock(11, true, Does::Waits));
    // To leave a barrier is no transition: it happens by itself.
    let does = barrier::Does::Wait;
    all.push(op(Operation::Barrier(barrier::Op { barrier: sync(20), count: 2, does })));
    let once = |does| op(Operation::Once(once::Op { once: sync(30), does }));
    all.extend([once::Does::Begin, once::Does::Done { ran: true }].map(once));
    let threads = (0..3).map(|_| (0, all.clone())).collect();
    checked("read-write locks", Setting { threads, start: Model::default() }, 600);
}

fn exit() -> Pending {
    op(Operation::Life(Lives::Exit { status: 0 }))
}

fn set(does: sysv::Does) -> Pending {
    op(Operation::SysV(sysv::Op { set: 1, does }))
}

fn semop(buffers: &[(u16, i16, u16)]) -> Pending {
    let bytes = |(index, change, flags): &(u16, i16, u16)| {
        [index.to_le_bytes(), change.to_le_bytes(), flags.to_le_bytes()].concat()
    };
    let data: Vec<u8> = buffers.iter().flat_map(bytes).collect();
    set(sysv::Does::Operate(sysv::buffers(&data)))
}

#[test]
fn system_v_semaphores() {
    use sysv::Does;
    let mut all = vec![
        semop(&[(0, -1, 0)]),
        semop(&[(0, 1, 0)]),
        semop(&[(1, 1, 0x1000)]),
        semop(&[(0, 0, 0)]),
        semop(&[(0, -1, 0), (1, -1, 0)]),
        semop(&[(1, -1, 0o4000)]),
        semop(&[(0, 1, 0), (0, -1, 0)]),
    ];
    let values =
        [Does::SetValue { index: 0, value: 1 }, Does::GetValue { index: 0 }, Does::GetValue { index: 1 }];
    all.extend(values.map(set));
    all.extend([Does::Remove, Does::GetAll].map(set));
    all.push(exit());
    let mut start = Model::default();
    start.new_set(1, 2);
    let threads = (0..3).map(|process| (process, all.clone())).collect();
    checked("semop", Setting { threads, start }, 400);
}

fn call(number: u64, call: Call) -> Pending {
    op(Operation::File(files::Op { descriptor: Key::new(Class::Descriptor, 0, number), call }))
}

#[test]
fn descriptors() {
    let read = |number, flags| call(number, Call::Read { most: 2, flags });
    let write = |number, text: &[u8], flags| call(number, Call::Write { data: text.to_vec(), flags });
    let mut start = Model::default();
    start.files.create(0, (p::FD_PIPE, 0), (3, 4), 100);
    start.files.create(0, (p::FD_STREAM, 0), (5, 6), 200);
    start.files.create(0, (p::FD_EVENT, 0), (7, 0), 300);
    start.files.create(0, (p::FD_EPOLL, 0), (8, 0), 400);
    let watch = |number: u64| {
        let data = [1u32.to_le_bytes().to_vec(), vec![0; 8]].concat();
        call(8, Call::EpollControl { command: libc::EPOLL_CTL_ADD.into(), number, data })
    };
    start.perform(0, &watch(3), 0);
    start.perform(0, &watch(7), 0);
    start.copy_space(0, 0, 1);
    start.copy_space(0, 0, 2);
    let polled = |numbers: &[i32], forever| {
        let one = |n: &i32| [n.to_le_bytes().to_vec(), vec![5, 0, 0, 0]].concat();
        call(u64::MAX, Call::Poll { entries: numbers.iter().flat_map(one).collect(), forever })
    };
    let all = vec![
        read(3, 0),
        read(3, 1),
        write(4, b"a", 0),
        write(4, b"bc", 1),
        call(3, Call::Close),
        call(4, Call::Close),
        read(5, 0),
        read(6, 3),
        write(5, b"x", 0),
        write(6, b"y", 0),
        call(5, Call::Close),
        call(6, Call::Shutdown { how: 1 }),
        call(7, Call::Read { most: 8, flags: 0 }),
        write(7, &1u64.to_le_bytes(), 0),
        polled(&[3, 7], true),
        polled(&[5], false),
        call(8, Call::EpollWait { places: 8, forever: true }),
        call(3, Call::SetNonblock(true)),
        call(3, Call::Query(Query::Readable)),
        exit(),
    ];
    let threads = vec![(0, all.clone()), (1, all.clone()), (1, all.clone()), (2, all)];
    checked("descriptors", Setting { threads, start }, 120);
}

/// An epoll watches another, which watches a pipe once and a counter.
#[test]
fn epolls_of_epolls() {
    let mut start = Model::default();
    start.files.create(0, (p::FD_PIPE, 0), (3, 4), 100);
    start.files.create(0, (p::FD_EVENT, 0), (7, 0), 300);
    start.files.create(0, (p::FD_EPOLL, 0), (8, 0), 400);
    start.files.create(0, (p::FD_EPOLL, 0), (9, 0), 500);
    let control = |epoll, command: i32, number: u64, events: u32| {
        let data = [events.to_le_bytes().to_vec(), vec![0; 8]].concat();
        call(epoll, Call::EpollControl { command: command.into(), number, data })
    };
    let once = 1 | libc::EPOLLONESHOT as u32;
    start.perform(0, &control(8, libc::EPOLL_CTL_ADD, 3, once), 0);
    start.perform(0, &control(8, libc::EPOLL_CTL_ADD, 7, 1), 0);
    start.perform(0, &control(9, libc::EPOLL_CTL_ADD, 8, 1), 0);
    let polled: Vec<u8> = [9i32.to_le_bytes().to_vec(), vec![1, 0, 0, 0]].concat();
    let all = vec![
        call(4, Call::Write { data: vec![1], flags: 0 }),
        call(3, Call::Read { most: 1, flags: 0 }),
        call(7, Call::Write { data: 1u64.to_le_bytes().to_vec(), flags: 0 }),
        call(7, Call::Read { most: 8, flags: 0 }),
        call(8, Call::EpollWait { places: 8, forever: true }),
        call(9, Call::EpollWait { places: 8, forever: false }),
        call(u64::MAX, Call::Poll { entries: polled, forever: false }),
        control(8, libc::EPOLL_CTL_MOD, 3, once),
        control(8, libc::EPOLL_CTL_DEL, 7, 0),
        control(9, libc::EPOLL_CTL_DEL, 8, 0),
        control(9, libc::EPOLL_CTL_ADD, 8, 1),
        control(8, libc::EPOLL_CTL_ADD, 9, 1),
    ];
    let threads = vec![(0, all.clone()), (0, all)];
    checked("epolls", Setting { threads, start }, 150);
}

#[test]
fn full_pipes() {
    let read = |most| call(3, Call::Read { most, flags: 0 });
    let write = |length, flags| call(4, Call::Write { data: vec![1; length], flags });
    let mut start = Model::default();
    start.files.create(0, (p::FD_PIPE, 0), (3, 4), 100);
    start.perform(0, &write(57_000, 0), 0);
    start.copy_space(0, 0, 1);
    let all = vec![write(4000, 0), write(5000, 0), write(100, 1), read(4096), read(10)];
    let calm = vec![call(3, Call::Query(Query::Readable)), call(3, Call::Close), call(4, Call::Close)];
    let threads = vec![(0, all), (1, calm)];
    checked("full pipes", Setting { threads, start }, 40);
}

/// Waits for a condition that are points, of threads that may be cancelled.
#[test]
fn waits_of_cancelled_threads() {
    use condition::{Does, Ends};
    let on = |does| op(Operation::Condition(condition::Op { condition: sync(20), does }));
    let wait = condition::Wait { mutex: sync(10), kind: 0, ends: Ends::Woken };
    let mutex = |does| op(Operation::Mutex(mutex::Op { mutex: sync(10), kind: 0, does }));
    let cancel = |thread| op(Operation::Cancel(cancel::Op::Cancel { thread }));
    let mut all = [Does::Wait(wait), Does::Relock(wait), Does::Signal, Does::Broadcast].map(on).to_vec();
    all.extend([mutex::Does::Lock, mutex::Does::Unlock].map(mutex));
    all.extend((0..3).map(cancel));
    let is_wait = |does| matches!(does, Does::Wait(_) | Does::Relock(_));
    all.iter_mut().for_each(|o| {
        o.point = matches!(&o.operation, Operation::Condition(c) if is_wait(c.does));
    });
    let threads = (0..3).map(|_| (0, all.clone())).collect();
    checked("cancelled waits", Setting { threads, start: Model::default() }, 600);
}

/// What counts up to a limit, just below it.
#[test]
fn counters_near_their_limits() {
    use semaphore::Does;
    let value = i64::from(i32::MAX) - 2;
    let semaphore = |does| op(Operation::Semaphore(semaphore::Op { semaphore: sync(30), value, does }));
    let mut all: Vec<Pending> =
        [Does::Wait, Does::TryWait, Does::Post, Does::GetValue].map(semaphore).to_vec();
    all.extend([semop(&[(0, 1, 0)]), semop(&[(0, 2, 0), (1, 1, 0)]), semop(&[(0, -1, 0)])]);
    let write = |n: u64| call(7, Call::Write { data: n.to_le_bytes().to_vec(), flags: 0 });
    all.extend([write(1), write(2), call(7, Call::Read { most: 8, flags: 0 })]);
    let mut start = Model::default();
    start.new_set(1, 2);
    start.perform(0, &set(sysv::Does::SetValue { index: 0, value: 32764 }), 0);
    start.files.create(0, (p::FD_EVENT, 0), (7, 0), 300);
    start.perform(0, &write(u64::MAX - 4), 0);
    let threads = (0..2).map(|_| (0, all.clone())).collect();
    checked("counters", Setting { threads, start }, 400);
}

#[test]
fn locks_on_files_and_fifos() {
    let descriptor = |number| Key::new(Class::Descriptor, 0, number);
    let lock = |number, how, at_once, (first, last): (u64, u64), family: u64| {
        let (descriptor, range) = (descriptor(number), Range { first, last, family });
        op(Operation::FileLock(locks::Op { descriptor, how, at_once, range, waits: false }))
    };
    let fifo = |number, flags: i32, id: u64| {
        op(Operation::Fifo(fifo::Op { descriptor: descriptor(number), flags, fifo: 77, id, waits: None }))
    };
    let waits = |mut o: Pending| {
        match &mut o.operation {
            Operation::FileLock(lock) => lock.waits = true,
            Operation::Fifo(fifo) => fifo.waits = Some(0),
            _ => {}
        }
        o
    };
    let mut start = Model::default();
    start.files.create(0, (p::FD_FILE, 9 << 8), (3, 0), 100);
    start.files.create(0, (p::FD_FILE, 9 << 8), (4, 0), 200);
    start.files.create(0, (p::FD_FILE, 8 << 8), (5, 0), 300);
    start.copy_space(0, 0, 1);
    start.copy_space(0, 0, 2);
    let (whole, shared, exclusive) = ((0, u64::MAX), How::Shared, How::Exclusive);
    let all = |process: u64| {
        vec![
            lock(3, exclusive, false, whole, 2),
            waits(lock(3, exclusive, false, whole, 2)),
            lock(4, shared, true, whole, 2),
            lock(4, How::Unlock, false, whole, 2),
            lock(3, exclusive, false, (0, 9), 0),
            waits(lock(3, exclusive, false, (0, 9), 0)),
            lock(3, shared, true, (5, 20), 0),
            lock(5, exclusive, false, (0, 9), 0),
            lock(5, How::Unlock, false, (3, 4), 0),
            lock(5, exclusive, true, (0, 9), 1),
            lock(3, How::Query { exclusive: true }, true, (0, 100), 0),
            call(4, Call::Close),
            exit(),
            fifo(7, libc::O_RDONLY, 1000 + process),
            fifo(8, libc::O_WRONLY, 2000 + process),
            fifo(9, libc::O_WRONLY | libc::O_NONBLOCK, 3000 + process),
            waits(fifo(7, libc::O_RDONLY, 1000 + process)),
            call(8, Call::Close),
            call(7, Call::Read { most: 1, flags: 0 }),
        ]
    };
    let threads = (0..3).map(|process| (process, all(process))).collect();
    checked("locks on files", Setting { threads, start }, 300);
}

#[test]
fn queues_and_names() {
    let name =
        |space, at, does| op(Operation::Name(name::Op { name: Key::new(Class::Name, space, at), does }));
    let queue = |queue, does| op(Operation::Queue(queue::Op { queue, does }));
    let send =
        |at, kind, waits, text: &[u8]| queue(at, queue::Does::Send { kind, waits, text: text.to_vec() });
    let receive = |at, kind, waits| {
        let (cuts, except, room) = (false, false, 8);
        queue(at, queue::Does::Receive(Receive { kind, waits, cuts, except, room }))
    };
    let (create, exclusive) = (0o1000i64, 0o3000i64);
    let open =
        |flags: i32| name(POSIX_QUEUE, 9, name::Does::OpenQueue { flags: flags.into(), most: 2, longest: 4 });
    let mut start = Model::default();
    start.new_queue(2);
    start.perform(0, &open(libc::O_CREAT), 0);
    let opened = start.perform(0, &open(0), 0).result;
    for process in [0, 1] {
        start.files.create(process, (p::FD_QUEUE, opened << 8), (3, 0), 100 + process);
    }
    let put = |priority, text: &[u8], flags| call(3, Call::Send { priority, text: text.to_vec(), flags });
    let all = vec![
        name(SYSV_QUEUE, 1, name::Does::GetQueue { flags: create }),
        name(SYSV_QUEUE, 1, name::Does::GetQueue { flags: exclusive }),
        name(SYSV_SET, 1, name::Does::GetSet { count: 1, flags: exclusive }),
        name(SYSV_SET, 1, name::Does::GetSet { count: 1, flags: 0 }),
        set(sysv::Does::Remove),
        queue(1, queue::Does::Remove),
        queue(1, queue::Does::Query),
        send(1, 1, true, b"one"),
        send(2, 2, false, b"two"),
        receive(1, 0, true),
        receive(2, -2, false),
        name(5, 7, name::Does::Open { flags: i64::from(libc::O_CREAT | libc::O_EXCL) }),
        name(5, 7, name::Does::Unlink),
        name(POSIX_QUEUE, 9, name::Does::UnlinkQueue),
        put(1, b"a", 0),
        put(2, b"b", 1),
        call(3, Call::Receive { room: 4, flags: 0 }),
        call(3, Call::Attributes),
    ];
    let threads = vec![(0, all.clone()), (1, all.clone()), (1, all)];
    checked("queues", Setting { threads, start }, 300);
}

/// A signal from process 0.
fn kill(process: u64, thread: Option<Tid>, signal: i32) -> Kill {
    Kill { process, thread, sent: Sent { signal: signal.into(), code: 0, from: 0, value: 0 } }
}

fn signal(does: Signals) -> Pending {
    op(Operation::Signal(does))
}

fn life(does: Lives) -> Pending {
    op(Operation::Life(does))
}

fn wait(child: i64, at_once: bool) -> Pending {
    life(Lives::Wait(Wait { child, at_once, keeps: false }))
}

fn action(signal: i32, does: Reaction, flags: i64) -> Signals {
    Signals::Action { signal: signal.into(), action: Some(Action { does, flags, mask: 0 }) }
}

#[test]
fn sleepers_signals_and_cancellation() {
    let word = Key::new(Class::Futex, 0, 64);
    let mut start = Model::default();
    for process in 0..3 {
        let parent = if process == 0 { 9 } else { 0 };
        start.lives.insert(process, Life { parent, ended: false, reaped: false });
    }
    start.fall_asleep(1, word);
    start.fall_asleep(2, word);
    start.set_action(0, libc::SIGUSR1.into(), Action { does: Reaction::Ignores, flags: 0, mask: 0 });
    let futex = |does| op(Operation::Futex(futex::Op { queue: word, does }));
    let memory = Key { class: Class::Memory, ..word };
    let store = memory::Does::Store { plain: false };
    let semaphore = semaphore::Op { semaphore: sync(30), value: 1, does: semaphore::Does::Wait };
    let mut all = vec![
        futex(futex::Does::Wake { most: 1 }),
        futex(futex::Does::Wake { most: 5 }),
        futex(futex::Does::Sleep),
        Pending { late: true, ..futex(futex::Does::Sleep) },
        futex(futex::Does::Look { word: memory, size: 4 }),
        op(Operation::Memory(memory::Op { at: memory, size: 4, does: store })),
        op(Operation::Cancel(cancel::Op::Test { optional: false })),
        op(Operation::Semaphore(semaphore)),
        wait(-1, false),
        wait(2, true),
        exit(),
    ];
    for target in 1..3 {
        all.push(op(Operation::Cancel(cancel::Op::Cancel { thread: target as Tid })));
        all.push(signal(Signals::Kill(kill(target, None, libc::SIGUSR1))));
    }
    // Waits for a child and ends of processes are no cancellation points here: see `by_itself`.
    let is_point = |operation: &Operation| {
        let tests = matches!(operation, Operation::Cancel(cancel::Op::Test { .. }));
        tests || matches!(operation, Operation::Semaphore(_))
    };
    all.iter_mut().for_each(|o| o.point = is_point(&o.operation));
    let threads = (0..3).map(|process| (process, all.clone())).collect();
    checked("sleepers", Setting { threads, start }, 400);
}

/// A process of two threads and its children, which end: what it does about that, blocks, awaits
/// and looks at.
#[test]
fn ends_of_children() {
    let child = libc::SIGCHLD;
    let mut start = Model::default();
    for process in [0, 2, 3] {
        let parent = if process == 0 { 9 } else { 0 };
        start.lives.insert(process, Life { parent, ended: false, reaped: false });
    }
    for (who, process) in [(0, 0), (1, 0), (2, 2), (3, 3)] {
        start.begin_thread(who, process, who);
    }
    let bit = 1u64 << (child - 1);
    let blocks = Action { does: Reaction::Handles, flags: 0, mask: bit };
    let mut parent = vec![
        signal(Signals::Mask(bit)),
        signal(Signals::Mask(0)),
        signal(Signals::Wait { set: bit, at_once: false }),
        signal(Signals::Pending),
        signal(Signals::Pause),
        signal(Signals::Take { result: 5, data: Vec::new(), on: sync(0) }),
        wait(-1, true),
        wait(2, false),
        life(Lives::ExitThread { thread: 0 }),
        signal(Signals::Kill(kill(2, None, 0))),
        signal(Signals::Kill(kill(3, None, libc::SIGKILL))),
        signal(Signals::Action { signal: child.into(), action: None }),
        signal(Signals::Action { signal: libc::SIGUSR1.into(), action: Some(blocks) }),
    ];
    // As usual, ignored, handled; handled once; without zombies.
    let (usual, ignores, handles) = (Reaction::Usual, Reaction::Ignores, Reaction::Handles);
    let ways = [(usual, 0), (ignores, 0), (handles, 0), (handles, 4), (usual, 8)];
    parent.extend(ways.map(|(does, flags)| signal(action(child, does, flags))));
    parent.iter_mut().for_each(|o| o.point = false);
    parent.push(exit());
    let end = vec![exit(), life(Lives::Parent { process: 0 }), signal(Signals::Kill(kill(0, None, 0)))];
    let threads = vec![(0, parent.clone()), (0, parent), (2, end.clone()), (3, end)];
    checked("ends of children", Setting { threads, start }, 250);
}

/// Two processes, one of two threads, that send, block, handle, await and take signals, join, and
/// wait for each other.
#[test]
fn signals_handlers_and_masks() {
    let (one, two) = (libc::SIGUSR1, libc::SIGUSR2);
    let mut start = Model::default();
    for process in [0, 2] {
        let parent = if process == 0 { 9 } else { 0 };
        start.lives.insert(process, Life { parent, ended: false, reaped: false });
    }
    for (who, process) in [(0, 0), (1, 0), (2, 2)] {
        start.begin_thread(who, process, who);
    }
    let handles = |flags| Action { does: Reaction::Handles, flags, mask: 0 };
    start.set_action(0, one.into(), handles(0));
    start.set_action(2, one.into(), handles(1));
    start.set_action(0, libc::SIGCHLD.into(), handles(0));
    let bits = |signals: &[i32]| signals.iter().map(|s| 1u64 << (s - 1)).sum::<u64>();
    let to = |process, thread, sent| signal(Signals::Kill(kill(process, thread, sent)));
    let semaphore = |does| op(Operation::Semaphore(semaphore::Op { semaphore: sync(30), value: 0, does }));
    let timer = timer_key(0, 0);
    let mut all = vec![
        to(0, None, one),
        to(0, Some(1), one),
        to(0, Some(1), two),
        to(0, Some(1), 0),
        to(2, None, one),
        to(0, None, two),
        to(2, None, two),
        to(2, None, 0),
        signal(Signals::Mask(bits(&[one, two]))),
        signal(Signals::Mask(0)),
        signal(action(one, Reaction::Ignores, 0)),
        signal(action(two, Reaction::Handles, 0)),
        signal(Signals::Wait { set: bits(&[one, two]), at_once: false }),
        signal(Signals::Pending),
        signal(Signals::Pause),
        op(Operation::Timer(Timer::Sleep)),
        semaphore(semaphore::Does::Wait),
        semaphore(semaphore::Does::Post),
        op(Operation::Mutex(mutex::Op { mutex: sync(10), kind: 16, does: mutex::Does::Lock })),
        signal(Signals::Take { result: 5, data: Vec::new(), on: sync(0) }),
        wait(-1, false),
        life(Lives::ExitThread { thread: 0 }),
        life(Lives::Parent { process: 0 }),
        exit(),
    ];
    all.iter_mut().for_each(|o| o.point = false);
    // A timer is set, and fires, in the process it belongs to; threads are joined by others of
    // their process.
    let mut own = vec![
        op(Operation::Timer(Timer::Set { timer, sends: Some(kill(0, None, one)), repeats: false })),
        op(Operation::Timer(Timer::Fire { timer })),
        life(Lives::Join { thread: 1 }),
        life(Lives::TryJoin { thread: 1 }),
    ];
    own.iter_mut().for_each(|o| o.point = false);
    let first = [all.clone(), own].concat();
    checked("signals", Setting { threads: vec![(0, first.clone()), (0, first), (2, all)], start }, 150);
}
