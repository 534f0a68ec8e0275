//! The dependency relation against its definition (Definition 1 of the paper), on everything small:
//! in each state that few operations reach, operations of two threads that touch nothing in common
//! must not enable or disable each other and must end in the same state with the same results,
//! whichever comes first. Nothing here knows what the operations do.

use super::*;
use crate::operation::dependent;
use std::collections::VecDeque;

/// A thread and what it may do next; threads of one process share its number.
struct Scene {
    threads: Vec<(u64, Vec<Op>)>,
    start: Model,
}

pub(super) fn op(kind: u32, key: Key, a: i64, b: i64) -> Op {
    let (with, data, behind) = (None, Vec::new(), None);
    let stack = Vec::new();
    Op {
        kind,
        key,
        with,
        a,
        b,
        data,
        expires: false,
        point: true,
        late: false,
        ready: 0,
        until: 0,
        behind,
        aftermath: Default::default(),
        heeds_memory: false,
        process: 0,
        pc: 0,
        stack,
    }
}

fn sync(at: u64) -> Key {
    Key::new(Class::Sync, 0, at)
}

/// Explores this many states; how many pairs were independent, and dependent.
fn check(scene: &Scene, states: usize) -> (usize, usize) {
    let threads: Vec<(u64, Vec<Op>)> = scene
        .threads
        .iter()
        .map(|(process, ops)| (*process, ops.iter().map(|o| placed(o, *process)).collect()))
        .collect();
    let mut seen = vec![scene.start.clone()];
    let mut queue = VecDeque::from([scene.start.clone()]);
    let mut counts = (0, 0);
    while let Some(state) = queue.pop_front() {
        for (who, (_, ops)) in threads.iter().enumerate() {
            for one in ops {
                for (other_who, (_, others)) in threads.iter().enumerate().filter(|(w, _)| *w > who) {
                    for other in others {
                        pair(&state, (who, one), (other_who, other), &mut counts);
                    }
                }
                for outcome in state.outcomes(who, one) {
                    let mut next = state.clone();
                    next.apply(who, one, outcome);
                    if seen.len() < states && !seen.contains(&next) {
                        seen.push(next.clone());
                        queue.push_back(next);
                    }
                }
            }
        }
    }
    assert!(seen.len() > 10, "too few states: {}", seen.len());
    counts
}

/// Descriptors belong to the process of the thread.
fn placed(op: &Op, process: u64) -> Op {
    let own = matches!(op.key.class, Class::Descriptor);
    let key = if own { Key { space: process, ..op.key } } else { op.key };
    Op { process, key, ..op.clone() }
}

fn pair(state: &Model, one: (Tid, &Op), other: (Tid, &Op), counts: &mut (usize, usize)) {
    let ways = |m: &Model, (who, op): (Tid, &Op)| m.outcomes(who, op);
    let foot = |(who, op): (Tid, &Op), outcome: Option<&Outcome>| {
        state.footprint(who, op, outcome.copied().unwrap_or(-1))
    };
    let (first, second) = (ways(state, one), ways(state, other));
    for a in first.iter().map(Some).chain(first.is_empty().then_some(None)) {
        for b in second.iter().map(Some).chain(second.is_empty().then_some(None)) {
            if dependent(&foot(one, a), &foot(other, b)) {
                counts.1 += 1;
                continue;
            }
            counts.0 += 1;
            let about = || format!("{one:?} {a:?}\nand {other:?} {b:?}\nin {state:?}");
            let step = |m: &Model, (who, op): (Tid, &Op), outcome: Outcome| {
                let mut next = m.clone();
                let effect = next.apply(who, op, outcome);
                (next, effect)
            };
            if let Some(a) = a {
                let (after, _) = step(state, one, *a);
                assert_eq!(
                    ways(&after, other),
                    second,
                    "the first changes what the second can do: {}",
                    about()
                );
            }
            if let Some(b) = b {
                let (after, _) = step(state, other, *b);
                assert_eq!(ways(&after, one), first, "the second changes what the first can do: {}", about());
            }
            if let (Some(a), Some(b)) = (a, b) {
                let (after, told) = step(state, one, *a);
                let (end, answered) = step(&after, other, *b);
                let (after, answer) = step(state, other, *b);
                let (same_end, tell) = step(&after, one, *a);
                assert_eq!((told, answered), (tell, answer), "results: {}", about());
                assert_eq!(end, same_end, "states: {}", about());
            }
        }
    }
}

fn checked(name: &str, scene: Scene, states: usize) {
    let (independent, dependent) = check(&scene, states);
    assert!(independent > 100 && dependent > 100, "{name}: {independent} independent, {dependent} dependent");
}

#[test]
fn locks_conditions_and_semaphores() {
    let mut condition = op(p::OP_COND_WAIT, sync(20), 0, 0);
    condition.with = Some(sync(10));
    let relock = Op { kind: RELOCK, ..condition.clone() };
    let mut all = vec![condition, relock];
    for m in [10, 11] {
        let kinds = [p::OP_MUTEX_LOCK, p::OP_MUTEX_TRYLOCK, p::OP_MUTEX_UNLOCK];
        all.extend(kinds.map(|kind| op(kind, sync(m), 0, 0)));
    }
    all.extend([p::OP_COND_SIGNAL, p::OP_COND_BROADCAST].map(|kind| op(kind, sync(20), 0, 0)));
    for s in [30, 31] {
        let kinds = [p::OP_SEM_WAIT, p::OP_SEM_TRYWAIT, p::OP_SEM_POST, p::OP_SEM_GETVALUE];
        all.extend(kinds.map(|kind| op(kind, sync(s), 1, 0)));
    }
    all.extend([p::OP_SEM_INIT, p::OP_SEM_DESTROY].map(|kind| op(kind, sync(30), 0, 0)));
    all.extend([p::OP_MUTEX_INIT, p::OP_MUTEX_DESTROY].map(|kind| op(kind, sync(10), 0, 0)));
    all.push(op(p::OP_COND_INIT, sync(20), 0, 0));
    let threads = (0..3).map(|_| (0, all.clone())).collect();
    checked("locks", Scene { threads, start: Model::default() }, 150);
}

#[test]
fn read_write_locks_barriers_and_once() {
    let mut all = Vec::new();
    let kinds = [p::OP_RW_READ, p::OP_RW_WRITE, p::OP_RW_TRYREAD, p::OP_RW_TRYWRITE, p::OP_RW_UNLOCK];
    all.extend(kinds.map(|kind| op(kind, sync(10), 0, 0)));
    // Where writers are preferred.
    all.extend(kinds.map(|kind| op(kind, sync(11), 1, 0)));
    all.push(op(RW_WAITS, sync(11), 1, 0));
    // To leave a barrier is no transition: it happens by itself.
    all.push(op(p::OP_BARRIER_WAIT, sync(20), 2, 0));
    all.push(op(p::OP_ONCE, sync(30), 0, 0));
    all.push(op(p::OP_ONCE_DONE, sync(30), 0, 0));
    let threads = (0..3).map(|_| (0, all.clone())).collect();
    checked("read-write locks", Scene { threads, start: Model::default() }, 600);
}

fn semop(buffers: &[(u16, i16, u16)]) -> Op {
    let bytes = |(index, change, flags): &(u16, i16, u16)| {
        [index.to_le_bytes(), change.to_le_bytes(), flags.to_le_bytes()].concat()
    };
    let data = buffers.iter().flat_map(bytes).collect();
    Op { data, ..op(p::OP_SYSV_OP, Key::new(Class::Sysv, 1, 0), buffers.len() as i64, 0) }
}

#[test]
fn system_v_semaphores() {
    let on = |kind, index, b| op(kind, Key::new(Class::Sysv, 1, index), index as i64, b);
    let mut all = vec![
        semop(&[(0, -1, 0)]),
        semop(&[(0, 1, 0)]),
        semop(&[(1, 1, 0x1000)]),
        semop(&[(0, 0, 0)]),
        semop(&[(0, -1, 0), (1, -1, 0)]),
        semop(&[(1, -1, 0o4000)]),
        semop(&[(0, 1, 0), (0, -1, 0)]),
    ];
    all.extend([on(p::OP_SYSV_SETVAL, 0, 1), on(p::OP_SYSV_GETVAL, 0, 0), on(p::OP_SYSV_GETVAL, 1, 0)]);
    all.extend([on(p::OP_SYSV_REMOVE, 0, 0), on(p::OP_SYSV_GETALL, 0, 0)]);
    all.push(on(p::OP_EXIT_PROCESS, 0, 0));
    let mut start = Model::default();
    start.new_set(1, 2);
    let threads = (0..3).map(|process| (process, all.clone())).collect();
    checked("semop", Scene { threads, start }, 400);
}

#[test]
fn descriptors() {
    let on = |kind, number, a, b| op(kind, Key::new(Class::Descriptor, 0, number), a, b);
    let write = |number, text: &[u8], b| Op { data: text.to_vec(), ..on(p::OP_FD_WRITE, number, 0, b) };
    let mut start = Model::default();
    start.files.create(0, p::FD_PIPE, (3, 4), 0, 100);
    start.files.create(0, p::FD_STREAM, (5, 6), 0, 200);
    start.files.create(0, p::FD_EVENT, (7, 0), 0, 300);
    start.files.create(0, p::FD_EPOLL, (8, 0), 0, 400);
    let watch = |number: i64| Op {
        data: [1u32.to_le_bytes().to_vec(), vec![0; 8]].concat(),
        ..on(p::OP_EPOLL_CTL, 8, i64::from(libc::EPOLL_CTL_ADD), number)
    };
    start.apply(0, &placed(&watch(3), 0), 0);
    start.apply(0, &placed(&watch(7), 0), 0);
    start.copy_space(0, 0, 1);
    start.copy_space(0, 0, 2);
    let polled = |numbers: &[i32], b| {
        let one = |n: &i32| [n.to_le_bytes().to_vec(), vec![5, 0, 0, 0]].concat();
        Op { data: numbers.iter().flat_map(one).collect(), ..on(p::OP_FD_POLL, u64::MAX, 0, b) }
    };
    let all = vec![
        on(p::OP_FD_READ, 3, 2, 0),
        on(p::OP_FD_READ, 3, 2, 1),
        write(4, b"a", 0),
        write(4, b"bc", 1),
        on(p::OP_FD_CLOSE, 3, 0, 0),
        on(p::OP_FD_CLOSE, 4, 0, 0),
        on(p::OP_FD_READ, 5, 2, 0),
        on(p::OP_FD_READ, 6, 2, 3),
        write(5, b"x", 0),
        write(6, b"y", 0),
        on(p::OP_FD_CLOSE, 5, 0, 0),
        on(p::OP_FD_SHUT, 6, 1, 0),
        on(p::OP_FD_READ, 7, 8, 0),
        write(7, &1u64.to_le_bytes(), 0),
        polled(&[3, 7], p::FD_FOREVER),
        polled(&[5], p::FD_AT_ONCE),
        on(p::OP_EPOLL_WAIT, 8, 8, p::FD_FOREVER),
        on(p::OP_FD_FLAGS, 3, 1, 0),
        on(p::OP_FD_QUERY, 3, 0, 0),
        on(p::OP_EXIT_PROCESS, 0, 0, 0),
    ];
    let threads = vec![(0, all.clone()), (1, all.clone()), (1, all.clone()), (2, all)];
    checked("descriptors", Scene { threads, start }, 120);
}

#[test]
fn full_pipes() {
    let on = |kind, number, a, b| op(kind, Key::new(Class::Descriptor, 0, number), a, b);
    let write = |length, b| Op { data: vec![1; length], ..on(p::OP_FD_WRITE, 4, 0, b) };
    let mut start = Model::default();
    start.files.create(0, p::FD_PIPE, (3, 4), 0, 100);
    start.apply(0, &write(57_000, 0), 0);
    start.copy_space(0, 0, 1);
    let all = vec![
        write(4000, 0),
        write(5000, 0),
        write(100, 1),
        on(p::OP_FD_READ, 3, 4096, 0),
        on(p::OP_FD_READ, 3, 10, 0),
    ];
    let calm = vec![on(p::OP_FD_QUERY, 3, 0, 0), on(p::OP_FD_CLOSE, 3, 0, 0), on(p::OP_FD_CLOSE, 4, 0, 0)];
    let threads = vec![(0, all), (1, calm)];
    checked("full pipes", Scene { threads, start }, 40);
}

#[test]
fn locks_on_files_and_fifos() {
    let on = |kind, number, a, b| op(kind, Key::new(Class::Descriptor, 0, number), a, b);
    let lock = |number, how, b, first: u64, last: u64, family: u64| {
        let data = [first, last, family].map(u64::to_le_bytes).concat();
        Op { data, ..on(p::OP_FILE_LOCK, number, how, b) }
    };
    let fifo = |number, flags: i32, id: u64| {
        let data = [77u64, id].map(u64::to_le_bytes).concat();
        Op { data, ..on(p::OP_FIFO_OPEN, number, flags.into(), 0) }
    };
    let mut start = Model::default();
    start.files.create(0, p::FD_FILE, (3, 0), 9 << 8, 100);
    start.files.create(0, p::FD_FILE, (4, 0), 9 << 8, 200);
    start.files.create(0, p::FD_FILE, (5, 0), 8 << 8, 300);
    start.copy_space(0, 0, 1);
    start.copy_space(0, 0, 2);
    let all = |process: u64| {
        let waits = |o: Op, kind| Op { kind, ..o };
        vec![
            lock(3, 2, 0, 0, u64::MAX, 2),
            waits(lock(3, 2, 0, 0, u64::MAX, 2), LOCK_WAITS),
            lock(4, 1, 1, 0, u64::MAX, 2),
            lock(4, 0, 0, 0, u64::MAX, 2),
            lock(3, 2, 0, 0, 9, 0),
            waits(lock(3, 2, 0, 0, 9, 0), LOCK_WAITS),
            lock(3, 1, 1, 5, 20, 0),
            lock(5, 2, 0, 0, 9, 0),
            lock(5, 0, 0, 3, 4, 0),
            lock(5, 2, 1, 0, 9, 1),
            lock(3, 3, 3, 0, 100, 0),
            on(p::OP_FD_CLOSE, 4, 0, 0),
            on(p::OP_EXIT_PROCESS, 0, 0, 0),
            fifo(7, libc::O_RDONLY, 1000 + process),
            fifo(8, libc::O_WRONLY, 2000 + process),
            fifo(9, libc::O_WRONLY | libc::O_NONBLOCK, 3000 + process),
            Op { kind: FIFO_WAITS, ..fifo(7, libc::O_RDONLY, 1000 + process) },
            on(p::OP_FD_CLOSE, 8, 0, 0),
            on(p::OP_FD_READ, 7, 1, 0),
        ]
    };
    let threads = (0..3).map(|process| (process, all(process))).collect();
    checked("locks on files", Scene { threads, start }, 300);
}

#[test]
fn queues_and_names() {
    let on = |kind, class, space, at, a, b| op(kind, Key::new(class, space, at), a, b);
    let with = |op: Op, data: &[u8]| Op { data: data.to_vec(), ..op };
    let (create, exclusive) = (0o1000i64, 0o3000i64);
    let both = i64::from(libc::O_CREAT | libc::O_EXCL);
    let mut start = Model::default();
    start.new_queue(2);
    start.apply(0, &on(p::OP_MQ_OPEN, Class::Name, POSIX_QUEUE, 9, i64::from(libc::O_CREAT), 2 | 4 << 16), 0);
    let opened = start.apply(0, &on(p::OP_MQ_OPEN, Class::Name, POSIX_QUEUE, 9, 0, 2 | 4 << 16), 0).result;
    for process in [0, 1] {
        start.files.create(process, p::FD_QUEUE, (3, 0), opened << 8, 100 + process);
    }
    let all = vec![
        with(on(p::OP_MSG_GET, Class::Name, SYSV_QUEUE, 1, 0, 0), &create.to_le_bytes()),
        with(on(p::OP_MSG_GET, Class::Name, SYSV_QUEUE, 1, 0, 0), &exclusive.to_le_bytes()),
        with(on(p::OP_SYSV_GET, Class::Name, SYSV_SET, 1, 0, 1), &exclusive.to_le_bytes()),
        with(on(p::OP_SYSV_GET, Class::Name, SYSV_SET, 1, 0, 1), &0i64.to_le_bytes()),
        on(p::OP_SYSV_REMOVE, Class::Sysv, 1, 0, 0, 0),
        on(p::OP_MSG_CONTROL, Class::Queue, 0, 1, 0, 0),
        on(p::OP_MSG_CONTROL, Class::Queue, 0, 1, 1, 0),
        with(on(p::OP_MSG_SEND, Class::Queue, 0, 1, 1, 0), b"one"),
        with(on(p::OP_MSG_SEND, Class::Queue, 0, 2, 2, 1), b"two"),
        on(p::OP_MSG_RECEIVE, Class::Queue, 0, 1, 0, 8 << 8),
        on(p::OP_MSG_RECEIVE, Class::Queue, 0, 2, -2, 1 | 8 << 8),
        on(p::OP_NAME, Class::Name, 5, 7, both, 0),
        on(p::OP_NAME, Class::Name, 5, 7, 0, 1),
        on(p::OP_MQ_UNLINK, Class::Name, POSIX_QUEUE, 9, 0, 0),
        with(on(p::OP_MQ_SEND, Class::Descriptor, 0, 3, 1, 0), b"a"),
        with(on(p::OP_MQ_SEND, Class::Descriptor, 0, 3, 2, 1), b"b"),
        on(p::OP_MQ_RECEIVE, Class::Descriptor, 0, 3, 4, 0),
        on(p::OP_MQ_ATTRIBUTES, Class::Descriptor, 0, 3, 0, 0),
    ];
    let threads = vec![(0, all.clone()), (1, all.clone()), (1, all)];
    checked("queues", Scene { threads, start }, 300);
}

#[test]
fn sleepers_signals_and_cancellation() {
    let word = Key::new(Class::Futex, 0, 64);
    let mut start = Model::default();
    for process in 0..3 {
        let life = Life { parent: if process == 0 { 9 } else { 0 }, ended: false, reaped: false };
        start.lives.insert(process, life);
    }
    start.fall_asleep(1, word);
    start.fall_asleep(2, word);
    start.set_action(&op(p::OP_SIGACTION, sync(0), i64::from(libc::SIGUSR1), 1));
    let mut all = vec![
        op(p::OP_FUTEX_WAKE, word, 1, 0),
        op(p::OP_FUTEX_WAKE, word, 5, 0),
        op(p::OP_FUTEX_SLEEP, word, 4, 0),
        Op { late: true, ..op(p::OP_FUTEX_SLEEP, word, 4, 0) },
        op(p::OP_FUTEX_WAIT, word, 4, 0),
        op(p::OP_STORE, Key { class: Class::Memory, ..word }, 4, 0),
        op(p::OP_TEST_CANCEL, sync(0), 0, 0),
        op(p::OP_SEM_WAIT, sync(30), 1, 0),
        op(p::OP_WAIT, sync(0), -1, 0),
        op(p::OP_WAIT, sync(0), 2, 1),
        op(p::OP_EXIT_PROCESS, sync(0), 0, 0),
    ];
    for target in 1..3 {
        all.push(op(p::OP_CANCEL, Key::new(Class::Cancel, target, 0), 0, 0));
        all.push(op(p::OP_KILL, Key::new(Class::Process, target, 0), i64::from(libc::SIGUSR1), 0));
    }
    // Waits for a child and ends of processes are no cancellation points here: see `by_itself`.
    let points = [p::OP_TEST_CANCEL, p::OP_SEM_WAIT];
    all.iter_mut().for_each(|o| o.point = points.contains(&o.kind));
    let threads = (0..3).map(|process| (process, all.clone())).collect();
    checked("sleepers", Scene { threads, start }, 400);
}

/// A process of two threads and its children, which end: what it does about that, blocks, awaits
/// and looks at.
#[test]
fn ends_of_children() {
    let (child, one) = (i64::from(libc::SIGCHLD), i64::from(libc::SIGUSR1));
    let mut start = Model::default();
    for process in [0, 2, 3] {
        let life = Life { parent: if process == 0 { 9 } else { 0 }, ended: false, reaped: false };
        start.lives.insert(process, life);
    }
    for (who, process) in [(0, 0), (1, 0), (2, 2), (3, 3)] {
        start.begin_thread(who, process, who);
    }
    let bit = 1i64 << (child - 1);
    let mut parent = vec![
        op(p::OP_SIGMASK, sync(0), bit, 0),
        op(p::OP_SIGMASK, sync(0), 0, 0),
        op(p::OP_SIGWAIT, sync(0), bit, 0),
        op(p::OP_SIGPENDING, sync(0), 0, 0),
        op(p::OP_PAUSE, sync(0), 0, 0),
        op(TAKE, sync(0), 0, 5),
        op(p::OP_WAIT, sync(0), -1, 1),
        op(p::OP_WAIT, sync(0), 2, 0),
        op(p::OP_EXIT_THREAD, sync(0), 0, 0),
        op(p::OP_KILL, Key::new(Class::Process, 2, 0), 0, 0),
        op(p::OP_KILL, Key::new(Class::Process, 3, 0), i64::from(libc::SIGKILL), 0),
        op(p::OP_SIGACTION, sync(0), child, QUERY),
        Op { data: bit.to_le_bytes().to_vec(), ..op(p::OP_SIGACTION, sync(0), one, 2) },
    ];
    // As usual, ignored, handled; handled once; without zombies.
    parent.extend([0, 1, 2, 2 | 4 << 2, 8 << 2].map(|how| op(p::OP_SIGACTION, sync(0), child, how)));
    parent.iter_mut().for_each(|o| o.point = false);
    let end = vec![op(p::OP_EXIT_PROCESS, sync(0), 0, 0)];
    let threads = vec![(0, parent.clone()), (0, parent), (2, end.clone()), (3, end)];
    checked("ends of children", Scene { threads, start }, 250);
}

/// Two processes, one of two threads, that send, block, handle, await and take signals, join, and
/// wait for each other.
#[test]
fn signals_handlers_and_masks() {
    let (one, two) = (i64::from(libc::SIGUSR1), i64::from(libc::SIGUSR2));
    let mut start = Model::default();
    for process in [0, 2] {
        start
            .lives
            .insert(process, Life { parent: if process == 0 { 9 } else { 0 }, ended: false, reaped: false });
    }
    for (who, process) in [(0, 0), (1, 0), (2, 2)] {
        start.begin_thread(who, process, who);
    }
    let action = |process, signal, how| Op { process, ..op(p::OP_SIGACTION, sync(0), signal, how) };
    start.set_action(&action(0, one, 2));
    start.set_action(&action(2, one, 2 | 1 << 2));
    start.set_action(&action(0, i64::from(libc::SIGCHLD), 2));
    let bits = |signals: &[i64]| signals.iter().map(|s| 1i64 << (s - 1)).sum::<i64>();
    let to = |process, thread, signal| op(p::OP_KILL, Key::new(Class::Process, process, thread), signal, 0);
    let mut all = vec![
        to(0, 0, one),
        to(0, 2, one),
        to(2, 0, one),
        to(0, 0, two),
        to(2, 0, two),
        to(2, 0, 0),
        op(p::OP_SIGMASK, sync(0), bits(&[one, two]), 0),
        op(p::OP_SIGMASK, sync(0), 0, 0),
        op(p::OP_SIGACTION, sync(0), one, 1),
        op(p::OP_SIGACTION, sync(0), two, 2),
        op(p::OP_SIGWAIT, sync(0), bits(&[one, two]), 0),
        op(p::OP_SIGPENDING, sync(0), 0, 0),
        op(p::OP_PAUSE, sync(0), 0, 0),
        op(p::OP_SLEEP, sync(0), 0, 0),
        op(p::OP_SEM_WAIT, sync(30), 0, 0),
        op(p::OP_SEM_POST, sync(30), 0, 0),
        op(p::OP_MUTEX_LOCK, sync(10), 16, 0),
        op(TAKE, sync(0), 0, 5),
        op(p::OP_WAIT, sync(0), -1, 0),
        op(p::OP_EXIT_THREAD, sync(0), 0, 0),
        op(p::OP_EXIT_PROCESS, sync(0), 0, 0),
        Op { process: 0, ..op(p::OP_TIMER, timer_key(0, 0), one, 0) },
        Op { process: 0, ..op(FIRE, timer_key(0, 0), one, 0) },
    ];
    all.push(op(p::OP_JOIN, Key::new(Class::Thread, 0, 1), 0, 0));
    all.push(op(p::OP_TRYJOIN, Key::new(Class::Thread, 0, 1), 0, 0));
    all.iter_mut().for_each(|o| o.point = false);
    // A timer is set, and fires, in the process it belongs to; threads are joined by others of
    // their process.
    let own = |process: u64, o: &Op| process == 0 || !matches!(o.key.class, Class::Timer | Class::Thread);
    let of = |process: u64| (process, all.iter().filter(|o| own(process, o)).cloned().collect::<Vec<Op>>());
    checked("signals", Scene { threads: vec![of(0), of(0), of(2)], start }, 150);
}
