//! The groups of calls: what prepares them, and the calls, as expressions of C over the functions
//! in `c/`. `ME` is the task that calls, `OTHER` another one.

/// Which tasks can make the calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tasks {
    Any,
    Threads,
    Processes,
}

/// Calls on the same things.
#[derive(Debug, PartialEq)]
pub struct Group {
    pub name: &'static str,
    pub tasks: Tasks,
    /// How likely it is, beside the others: errors were found in groups that have more.
    pub weight: usize,
    /// What is done before the tasks begin.
    pub begin: &'static str,
    pub calls: &'static [&'static str],
}

const fn any(name: &'static str, begin: &'static str, calls: &'static [&'static str]) -> Group {
    Group { name, tasks: Tasks::Any, weight: 2, begin, calls }
}

const fn threads(name: &'static str, begin: &'static str, calls: &'static [&'static str]) -> Group {
    Group { name, tasks: Tasks::Threads, weight: 2, begin, calls }
}

impl Group {
    const fn often(self) -> Group {
        Group { weight: 5, ..self }
    }

    const fn of_processes(self) -> Group {
        Group { tasks: Tasks::Processes, ..self }
    }
}

const SIGNALS: &str = "handle(SIGUSR1, count_signal, 0); handle(SIGUSR2, count_signal, SA_RESTART);";

pub static GROUPS: [Group; 36] = [
    any(
        "mutex",
        "init_mutex(&S->checked, PTHREAD_MUTEX_ERRORCHECK, 0);
         init_mutex(&S->recursive, PTHREAD_MUTEX_RECURSIVE, 0);",
        &[
            "pthread_mutex_trylock(&S->checked)",
            "pthread_mutex_lock(&S->checked)",
            "pthread_mutex_unlock(&S->checked)",
            "pthread_mutex_timedlock(&S->checked, soon())",
            "pthread_mutex_clocklock(&S->checked, CLOCK_MONOTONIC, at(CLOCK_MONOTONIC, SOON))",
            "pthread_mutex_lock(&S->recursive)",
            "pthread_mutex_unlock(&S->recursive)",
            "pthread_mutex_trylock(&S->recursive)",
        ],
    ),
    any(
        "robust",
        "init_mutex(&S->robust, PTHREAD_MUTEX_ERRORCHECK, 1);",
        &[
            "robust_got(pthread_mutex_trylock(&S->robust))",
            "robust_got(pthread_mutex_lock(&S->robust))",
            "robust_unlock()",
            "robust_got(pthread_mutex_timedlock(&S->robust, soon()))",
            "robust_got_inconsistent(pthread_mutex_lock(&S->robust))",
            "LEAVE(3)",
        ],
    ),
    any(
        "rw",
        "init_rwlock();",
        &[
            "got(pthread_rwlock_tryrdlock(&S->rwlock))",
            "got(pthread_rwlock_trywrlock(&S->rwlock))",
            "got(pthread_rwlock_timedrdlock(&S->rwlock, soon()))",
            "got(pthread_rwlock_timedwrlock(&S->rwlock, soon()))",
            "rw_unlock()",
            "got(pthread_rwlock_rdlock(&S->rwlock))",
            "got(pthread_rwlock_wrlock(&S->rwlock))",
        ],
    )
    .often(),
    any(
        "sem",
        "sem_init(&S->counter, 1, 1);",
        &[
            "E(sem_wait(&S->counter))",
            "E(sem_trywait(&S->counter))",
            "E(sem_timedwait(&S->counter, soon()))",
            "E(sem_post(&S->counter))",
            "value_of_counter()",
            "E(sem_clockwait(&S->counter, CLOCK_MONOTONIC, at(CLOCK_MONOTONIC, SOON)))",
        ],
    ),
    any(
        "cond",
        "init_condition();",
        &[
            "cond_wait()",
            "cond_wait_soon()",
            "pthread_cond_signal(&S->condition)",
            "pthread_cond_broadcast(&S->condition)",
            "cond_give()",
            "cond_take()",
            "cond_take_soon()",
        ],
    ),
    any(
        "atom",
        "",
        &[
            "atomic_load(&S->number)",
            "(atomic_store(&S->number, ME + 1), 0)",
            "atomic_fetch_add(&S->number, 1)",
            "compare_and_set()",
            "atomic_exchange(&S->number, ME + 5)",
        ],
    ),
    threads(
        "cancel",
        "",
        &[
            "pthread_cancel(S->thread[OTHER])",
            "pthread_cancel(S->thread[OTHER])",
            "test_cancel()",
            "cancel_state(PTHREAD_CANCEL_DISABLE)",
            "cancel_state(PTHREAD_CANCEL_ENABLE)",
            "usleep(1)",
        ],
    )
    .often(),
    any(
        "sig",
        SIGNALS,
        &[
            "SEND(OTHER, SIGUSR1)",
            "SEND(OTHER, SIGUSR2)",
            "SEND(OTHER, 0)",
            "atomic_load(&S->handled)",
            "mask(SIG_BLOCK, SIGUSR1)",
            "mask(SIG_UNBLOCK, SIGUSR1)",
            "mask(SIG_BLOCK, SIGUSR2)",
            "pending()",
            "E(usleep(1))",
            "take(SIGUSR1)",
            "raise(SIGUSR1)",
            "E(kill(getpid(), SIGUSR2))",
        ],
    )
    .often(),
    any(
        "suspend",
        "handle(SIGUSR1, count_signal, 0); handle(SIGUSR2, count_signal, SA_RESTART);
         mask(SIG_BLOCK, SIGUSR1);",
        &[
            "suspend(SIGUSR1)",
            "SEND(OTHER, SIGUSR1)",
            "E(kill(getpid(), SIGUSR1))",
            "pending()",
            "E(pause())",
            "SEND(OTHER, SIGUSR2)",
            "take(SIGUSR1)",
        ],
    )
    .often(),
    any(
        "nested",
        "handle(SIGUSR1, note_signal, 0); handle(SIGUSR2, note_signal, 0);",
        &[
            "SEND(OTHER, SIGUSR1)",
            "SEND(OTHER, SIGUSR2)",
            "raise(SIGUSR2)",
            "atomic_load(&S->trail)",
            "E(kill(getpid(), SIGUSR1))",
            "mask(SIG_BLOCK, SIGUSR1)",
        ],
    )
    .often(),
    threads(
        "real",
        "block_real();",
        &[
            "queue(0, 1 + ME)",
            "queue(1, 1 + ME)",
            "queue_to(S->thread[OTHER], 0, 5 + ME)",
            "queue_to(S->thread[OTHER], 1, 5 + ME)",
            "take_value_now()",
            "take_value_soon()",
            "take_value(0)",
        ],
    )
    .often(),
    any(
        "restart",
        "handle(SIGUSR1, count_signal, 0); handle(SIGUSR2, count_signal, SA_RESTART); pipe(blocking);
         sem_init(&S->counter, 1, 0);",
        &[
            "pipe_read(blocking[0], 1)",
            "text_write(blocking[1], \"r\")",
            "SEND(OTHER, SIGUSR1)",
            "SEND(OTHER, SIGUSR2)",
            "E(sem_wait(&S->counter))",
            "E(sem_post(&S->counter))",
            "polled(blocking[0], POLLIN, -1)",
        ],
    ),
    threads(
        "timer",
        "handle(SIGUSR1, count_signal, 0); create_timer();",
        &[
            "atomic_load(&S->handled)",
            "(set_timer(SOON), 0)",
            "(set_timer(SOON), 0)",
            "set_timer(0)",
            "E(usleep(1))",
            "mask(SIG_BLOCK, SIGUSR1)",
            "take(SIGUSR1)",
            "timer_getoverrun(timer)",
            "E(timer_delete(timer))",
        ],
    )
    .often(),
    threads(
        "alarm",
        "handle(SIGALRM, count_signal, 0);",
        &[
            "atomic_load(&S->handled)",
            "(set_alarm(SOON / 1000), 0)",
            "set_alarm(0)",
            "E(usleep(1))",
            "mask(SIG_BLOCK, SIGALRM)",
            "take(SIGALRM)",
        ],
    )
    .often(),
    any(
        "eventfd",
        "if (event < 0) event = eventfd(0, EFD_NONBLOCK);",
        &["event_read()", "event_write(1)", "event_write(2)", "polled(event, POLLIN, 0)"],
    ),
    any(
        "epoll",
        "open_epoll(0);",
        &["epoll_look(0)", "event_read()", "event_write(1)", "epoll_look(1)", "epoll_look(-1)"],
    ),
    any(
        "oneshot",
        "open_epoll(EPOLLONESHOT);",
        &[
            "epoll_look(0)",
            "event_read()",
            "event_write(1)",
            "epoll_look(1)",
            "epoll_change(EPOLL_CTL_MOD, EPOLLIN | EPOLLONESHOT)",
            "epoll_change(EPOLL_CTL_DEL, 0)",
            "epoll_change(EPOLL_CTL_ADD, EPOLLIN)",
        ],
    ),
    any(
        "select",
        "if (event < 0) event = eventfd(0, EFD_NONBLOCK);",
        &[
            "selected(event, 0)",
            "selected(event, 100)",
            "selected(event, -1)",
            "event_write(1)",
            "event_read()",
        ],
    ),
    any(
        "pipe",
        "pipe2(pipes, O_NONBLOCK); signal(SIGPIPE, SIG_IGN);",
        &[
            "pipe_read(pipes[0], 1)",
            "pipe_read(pipes[0], 3)",
            "text_write(pipes[1], \"ab\")",
            "text_write(pipes[1], \"c\")",
            "polled(pipes[0], POLLIN, 0)",
            "waiting_bytes(pipes[0])",
            "pipe_await()",
            "E(close(pipes[1]))",
        ],
    ),
    any(
        "socket",
        "socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);",
        &[
            "socket_read(2, MSG_DONTWAIT)",
            "socket_write(\"ab\")",
            "socket_write(\"c\")",
            "E(shutdown(sockets[1], SHUT_WR))",
            "polled(sockets[0], POLLIN, 0)",
            "socket_read(2, MSG_DONTWAIT | MSG_PEEK)",
            "socket_read(2, 0)",
            "E(shutdown(sockets[0], SHUT_RD))",
        ],
    ),
    any(
        "names",
        "clean();",
        &[
            "E(mkdir(F(\"d\"), 0700))",
            "E(rmdir(F(\"d\")))",
            "open_new(F(\"a\"))",
            "E(unlink(F(\"a\")))",
            "E(rename(F(\"a\"), F(\"b\")))",
            "E(link(F(\"a\"), F(\"b\")))",
            "links(F(\"a\"))",
            "E(access(F(\"b\"), F_OK))",
            "E(symlink(F(\"a\"), F(\"b\")))",
            "E(rename(F(\"d\"), F(\"e\")))",
            "E(truncate(F(\"a\"), 3))",
            "open_new(F(\"d/q\"))",
            "entries()",
        ],
    ),
    any(
        "file",
        "file = open(F(\"f\"), O_RDWR | O_CREAT | O_TRUNC, 0600);",
        &[
            "E(write(file, \"ab\", 2))",
            "file_read()",
            "lseek(file, 0, SEEK_END)",
            "lseek(file, 0, SEEK_SET)",
            "E(ftruncate(file, 1))",
            "size()",
            "file_look()",
            "E(pwrite(file, \"z\", 1, 2))",
            "append()",
            "E(fcntl(file, F_SETFL, O_APPEND))",
            "E(fcntl(file, F_SETFL, 0))",
        ],
    ),
    any(
        "lock",
        "open_locked();",
        &[
            "E(flock(locked[ME], LOCK_EX | LOCK_NB))",
            "E(flock(locked[ME], LOCK_SH | LOCK_NB))",
            "E(flock(locked[ME], LOCK_UN))",
            "lock_range(locked[ME], F_OFD_SETLK, F_WRLCK)",
            "lock_range(locked[ME], F_OFD_SETLK, F_RDLCK)",
            "lock_range(locked[ME], F_OFD_SETLK, F_UNLCK)",
            "who_locks(locked[ME], F_OFD_GETLK)",
            "E(flock(locked[ME], LOCK_EX))",
        ],
    ),
    any(
        "record",
        "open_locked();",
        &[
            "lock_range(locked[0], F_SETLK, F_WRLCK)",
            "lock_range(locked[0], F_SETLK, F_RDLCK)",
            "lock_range(locked[0], F_SETLKW, F_WRLCK)",
            "lock_range(locked[0], F_SETLK, F_UNLCK)",
            "who_locks(locked[0], F_GETLK)",
            "E(close(locked[ME]))",
        ],
    )
    .of_processes(),
    any(
        "sysv",
        "sets = semget(IPC_PRIVATE, 1, 0600); semctl(sets, 0, SETVAL, 1);
         queues = msgget(IPC_PRIVATE, 0600);",
        &[
            "sem_change(-1, IPC_NOWAIT)",
            "sem_change(1, IPC_NOWAIT)",
            "sem_change(0, IPC_NOWAIT)",
            "semctl(sets, 0, GETVAL)",
            "send_letter(1, ME)",
            "send_letter(2, ME)",
            "receive_letter(0)",
            "receive_letter(2)",
            "receive_letter(-2)",
        ],
    ),
    any(
        "undo",
        "sets = semget(IPC_PRIVATE, 1, 0600); semctl(sets, 0, SETVAL, 1);",
        &[
            "sem_change(-1, IPC_NOWAIT | SEM_UNDO)",
            "sem_change(1, SEM_UNDO)",
            "sem_change(-1, SEM_UNDO)",
            "semctl(sets, 0, GETVAL)",
            "LEAVE(4)",
        ],
    )
    .of_processes(),
    threads(
        "join",
        "",
        &[
            "join_now(OTHER)",
            "join_soon(OTHER)",
            "(pthread_exit((void *)3), 0)",
            "usleep(1)",
            "detach(OTHER)",
        ],
    )
    .often(),
    any("barrier", "init_barrier();", &["barrier_wait()"]),
    threads(
        "keys",
        "pthread_key_create(&key, destroyed);",
        &[
            "pthread_setspecific(key, S)",
            "pthread_setspecific(key, 0)",
            "(pthread_exit((void *)3), 0)",
            "atomic_load(&S->destroyed)",
            "(pthread_getspecific(key) != 0)",
        ],
    ),
    any(
        "spin",
        "pthread_spin_init(&S->spin, 1);",
        &[
            "spin_got(pthread_spin_trylock(&S->spin))",
            "spin_got(pthread_spin_lock(&S->spin))",
            "spin_unlock()",
        ],
    ),
    threads("once", "", &["pthread_once(&once, run_once)", "atomic_load(&S->ran)"]),
    any(
        "futex",
        "",
        &[
            "futex(FUTEX_WAIT, 0, 0)",
            "futex_wait_soon()",
            "futex(FUTEX_WAKE, 1, 0)",
            "futex(FUTEX_WAKE, 2, 0)",
            "futex_give()",
        ],
    ),
    any(
        "queue",
        "open_queue();",
        &["queue_send(1, ME)", "queue_send(2, ME)", "queue_receive(1)", "queue_receive(0)", "queue_length()"],
    ),
    threads(
        "state",
        "stream = fopen(F(\"f\"), \"w\"); if (file < 0) file = fileno(stream); srand(1);",
        &[
            "fputc(65 + ME, stream)",
            "fflush(stream)",
            "size()",
            "fprintf(stream, \"%d\", ME)",
            "ftell(stream)",
            "rand() % 7",
            "(srand(3), 0)",
            "umask(ME)",
            "environment()",
            "setenv(\"Q\", ME ? \"1\" : \"2\", 1)",
            "unsetenv(\"Q\")",
            "duplicate()",
        ],
    ),
    any(
        "children",
        "handle(SIGCHLD, count_signal, SA_RESTART); sem_init(&S->counter, 1, 0);",
        &[
            "begin_child(3, 0)",
            "begin_child(4, 1)",
            "begin_sleeper()",
            "status_of(WNOHANG)",
            "status_of(0)",
            "any_status(WNOHANG)",
            "any_status(0)",
            "kill_child(SIGKILL)",
            "kill_child(SIGUSR1)",
            "E(sem_trywait(&S->counter))",
            "E(sem_post(&S->counter))",
            "atomic_load(&S->handled)",
            "look_at_child()",
        ],
    ),
    // Calls that end tasks and look at others.
    any(
        "process",
        SIGNALS,
        &[
            "E(kill(S->process[OTHER], SIGUSR1))",
            "E(kill(S->process[OTHER], SIGTERM))",
            "E(kill(S->process[OTHER], SIGKILL))",
            "E(kill(S->process[OTHER], 0))",
            "LEAVE(5)",
            "raise(SIGTERM)",
            "atomic_load(&S->handled)",
            "atomic_fetch_add(&S->number, 1)",
        ],
    )
    .of_processes(),
];
