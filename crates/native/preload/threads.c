/* Threads and what they synchronise with. Locks are never really taken: the scheduler models them,
 * and lets one thread run.
 *
 * An object is known by its address. A mark in its memory tells whether it was initialised anew
 * since it was last used (marks.h).
 */
#include "accesses.h"
#include "files.h"
#include "marks.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Which slot a thread of this process has, and what it is to do. Not on the heap: that would
   give each thread an arena of its own. */
static struct thread {
  pthread_t handle;
  int64_t known;
  void *(*run)(void *);
  void *argument;
  size_t stack;
} threads[LIM_SLOTS];
static int most;

static void remember(int64_t slot, pthread_t thread) {
  if (most <= slot) most = (int)slot + 1;
  for (int i = 0; i < most; i++)
    if (threads[i].known && pthread_equal(threads[i].handle, thread)) threads[i].known = 0;
  threads[slot].handle = thread;
  threads[slot].known = 1;
}

static int64_t slot_of(pthread_t thread) {
  for (int i = 0; i < most; i++)
    if (threads[i].known && pthread_equal(threads[i].handle, thread)) return i;
  return weave_first_slot(thread);
}

int weave_has_threads(void) {
  for (int i = 0; i < most; i++)
    if (threads[i].known) return 1;
  return 0;
}

/* Writes nothing where there were none: after a fork that would copy a page. */
void weave_forget_threads(void) {
  for (int i = 0; i < most; i++) threads[i].known = 0;
  if (most) most = 0;
}

static size_t stack_size(const pthread_attr_t *attributes) {
  static size_t usual;
  size_t size = 0;
  if (attributes) pthread_attr_getstacksize(attributes, &size);
  if (size) return size;
  pthread_attr_t defaults;
  if (!usual && !pthread_attr_init(&defaults)) {
    pthread_attr_getstacksize(&defaults, &usual);
    pthread_attr_destroy(&defaults);
  }
  return usual;
}

static void *begin(void *given) {
  struct thread *mine = given;
  weave_begin_thread(&weave_shared->slot[mine - threads]);
  /* Another thread may have had the same stack. What is the thread's own lies at its end. */
  weave_renew((const char *)pthread_self() - mine->stack, mine->stack + 4096);
  return mine->run(mine->argument);
}

/* With a thread end its stack and its variables. */
void weave_end_stack(void) {
  struct thread *mine = &threads[weave_me - weave_shared->slot];
  if (mine->stack) weave_free_block((const char *)pthread_self() - mine->stack, mine->stack + 4096, (uint64_t)mine->run + 1);
}

/* By the constructor of a library: it is in none of the runs. */
uint32_t weave_begun_early;
static void begins_early(void) {
  if (!weave_shared) weave_begun_early = 1;
  else if (!weave_shared->served) weave_shared->early = 1;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  if (!weave_me) begins_early();
  if (!weave_me) return REAL(pthread_create)(thread, attributes, run, argument);
  IN(attributes);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &detached);
  int64_t slot = weave_ask(OP_CREATE, 0, 0, detached == PTHREAD_CREATE_DETACHED, 0, CALLER);
  if (slot < 0 || slot >= LIM_SLOTS) return EAGAIN;
  threads[slot].run = run;
  threads[slot].argument = argument;
  threads[slot].stack = stack_size(attributes);
  weave_lend(argument, CALLER);
  pthread_t made;
  int error = REAL(pthread_create)(&made, attributes, begin, &threads[slot]);
  if (error == EAGAIN || error == ENOMEM) weave_text(OP_UNCONTROLLED, "pthread_create fails because of a limit of memory or of threads", 1, CALLER);
  if (error) {
    weave_ask(OP_UNBORN, (uint64_t)slot, 0, 0, 0, CALLER);
    return error;
  }
  remember(slot, made);
  if (!weave_is_own(CALLER)) weave_access(thread, sizeof *thread, 1, CALLER);
  *thread = made;
  return 0;
}

static int join(uint32_t op, pthread_t thread, void **result, int timed, uint64_t pc) {
  if (pthread_equal(thread, pthread_self())) return EDEADLK;
  int64_t slot = slot_of(thread);
  if (slot < 0) {
    weave_text(OP_MISUSE, "join of a thread that is not there", 0, pc);
    return ESRCH;
  }
  int64_t error = weave_ask(op, (uint64_t)slot, 0, timed, 0, pc);
  if (error) return (int)error;
  weave_state(STATE_THREADS, HOW_POST, pc); /* from now on the handle names nothing */
  threads[slot].known = 0;
  if (result) weave_access(result, sizeof *result, 1, pc);
  return REAL(pthread_join)(thread, result);
}

EXPORT int pthread_join(pthread_t thread, void **result) {
  return weave_me ? join(OP_JOIN, thread, result, 0, CALLER) : REAL(pthread_join)(thread, result);
}
EXPORT int pthread_tryjoin_np(pthread_t thread, void **result) {
  return weave_me ? join(OP_TRYJOIN, thread, result, 0, CALLER) : REAL(pthread_tryjoin_np)(thread, result);
}
EXPORT int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *limit) {
  IN(limit);
  if (weave_me && clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return weave_me ? join(OP_JOIN, thread, result, 1, CALLER) : REAL(pthread_clockjoin_np)(thread, result, clock, limit);
}
EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *limit) {
  IN(limit);
  return weave_me ? (weave_until(limit), join(OP_JOIN, thread, result, 1, CALLER)) : REAL(pthread_timedjoin_np)(thread, result, limit);
}

EXPORT int pthread_detach(pthread_t thread) {
  int64_t slot = weave_me ? slot_of(thread) : -1;
  weave_state(STATE_THREADS, HOW_CHANGE, CALLER);
  if (slot >= 0) weave_note(OP_DETACH, (uint64_t)slot, 0, 0, 0, CALLER);
  if (weave_me && slot < 0 && !pthread_equal(thread, pthread_self())) {
    weave_text(OP_MISUSE, "detachment of a thread that is not there", 0, CALLER);
    return ESRCH;
  }
  return REAL(pthread_detach)(thread);
}

/* The thread that a handle names, which it does until it is joined. */
int64_t weave_thread_slot(unsigned long thread, const char *misuse, uint64_t pc) {
  if (pthread_equal(thread, pthread_self())) return weave_me - weave_shared->slot;
  weave_state(STATE_THREADS, HOW_READ, pc);
  int64_t slot = slot_of(thread);
  if (slot < 0) weave_text(OP_MISUSE, misuse, 0, pc);
  return slot;
}

/* Cancellation, deferred: the thread ends at its next visible operation that is a cancellation
   point. */
EXPORT int pthread_cancel(pthread_t thread) {
  if (!weave_me) return REAL(pthread_cancel)(thread);
  int64_t slot = weave_thread_slot(thread, "pthread_cancel of a thread that is not there", CALLER);
  if (slot < 0) return ESRCH;
  weave_ask(OP_CANCEL, (uint64_t)slot, 0, 0, 0, CALLER);
  return 0;
}
EXPORT int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  OUT(old);
  if (old) *old = weave_uncancelled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  weave_uncancelled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}
EXPORT int pthread_setcanceltype(int type, int *old) {
  if (weave_me && type == PTHREAD_CANCEL_ASYNCHRONOUS) weave_text(OP_UNCONTROLLED, "asynchronous cancellation", 0, CALLER);
  OUT(old);
  return REAL(pthread_setcanceltype)(type, old);
}
EXPORT void pthread_testcancel(void) {
  if (weave_me && (weave_shared->several || weave_shared->cancels)) weave_ask(OP_TEST_CANCEL, 0, 0, 0, 0, CALLER);
}

/* A clock that limits can be given for. */
static int counts(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

/* Mutexes. */
/* Of the C library: in the kind of a mutex; in its lock, below the highest priority it gives. */
enum { PSHARED = 128, OWNER = (1 << 19) - 1 };
static uint32_t fresh_mutex(pthread_mutex_t *m) {
  int initial = !(m->__data.__lock & OWNER) && !m->__data.__count && !m->__data.__owner;
  return fresh(mutex_mark(m), mark_of(m), initial) | (m->__data.__kind & PSHARED ? 0 : WEAVE_PRIVATE);
}
#define MUTEX_AS(op, more) (int)(weave_ask(op, (uint64_t)m, m->__data.__kind | (more), 0, fresh_mutex(m), CALLER))
#define MUTEX(op) MUTEX_AS(op, 0)
/* A limit that is none matters only if it has to wait; not to a thread that has the mutex. */
enum { NO_LIMIT = 1 << 20 };
static int unless_busy(int error) { return error == EBUSY ? EINVAL : error; }
#define MUTEX_TIMED (weave_is_time(limit) ? MUTEX(OP_MUTEX_TIMEDLOCK) : unless_busy(MUTEX_AS(OP_MUTEX_TRYLOCK, NO_LIMIT)))

EXPORT int pthread_mutex_lock(pthread_mutex_t *m) { return weave_me ? MUTEX(OP_MUTEX_LOCK) : REAL(pthread_mutex_lock)(m); }
EXPORT int pthread_mutex_trylock(pthread_mutex_t *m) {
  return weave_me ? MUTEX(OP_MUTEX_TRYLOCK) : REAL(pthread_mutex_trylock)(m);
}
EXPORT int pthread_mutex_unlock(pthread_mutex_t *m) {
  return weave_me ? MUTEX(OP_MUTEX_UNLOCK) : REAL(pthread_mutex_unlock)(m);
}
EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *limit) {
  IN(limit);
  return weave_me ? (weave_until(limit), MUTEX_TIMED) : REAL(pthread_mutex_timedlock)(m, limit);
}
EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *limit) {
  IN(limit);
  if (weave_me && !counts(clock)) return EINVAL;
  return weave_me ? (weave_until(limit), MUTEX_TIMED) : REAL(pthread_mutex_clocklock)(m, clock, limit);
}
EXPORT int pthread_mutex_consistent(pthread_mutex_t *m) {
  return weave_me ? MUTEX(OP_MUTEX_CONSISTENT) : REAL(pthread_mutex_consistent)(m);
}

/* Condition variables. */
enum { COND_FLAGS = 9, COND_MARK = 11 }; /* which words of its memory are not 0 at first */
static uint32_t fresh_cond(pthread_cond_t *c) {
  const uint32_t *words = (const uint32_t *)c;
  int initial = words[COND_FLAGS] < 4;
  for (int i = 0; i < COND_MARK; i++) initial &= i == COND_FLAGS || !words[i];
  return fresh(cond_mark(c), mark_of(c), initial) | (c->__data.__wrefs & 1 ? 0 : WEAVE_PRIVATE);
}
static int cond_wait(uint32_t op, pthread_cond_t *c, pthread_mutex_t *m, uint64_t pc) {
  weave_reads(c, 1, pc);
  weave_reads(m, 1, pc);
  int64_t how = fresh_cond(c) | (fresh_mutex(m) << 1);
  return (int)weave_ask(op, (uint64_t)c, (int64_t)(uint64_t)m, m->__data.__kind, how, pc);
}
#define COND(op) (int)(weave_ask(op, (uint64_t)c, 0, 0, fresh_cond(c), CALLER))

EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  return weave_me ? cond_wait(OP_COND_WAIT, c, m, CALLER) : REAL(pthread_cond_wait)(c, m);
}
EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *limit) {
  IN(limit);
  if (weave_me && !weave_is_time(limit)) return EINVAL;
  return weave_me ? (weave_until(limit), cond_wait(OP_COND_TIMEDWAIT, c, m, CALLER)) : REAL(pthread_cond_timedwait)(c, m, limit);
}
EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *limit) {
  IN(limit);
  if (weave_me && (!counts(clock) || !weave_is_time(limit))) return EINVAL;
  return weave_me ? (weave_until(limit), cond_wait(OP_COND_TIMEDWAIT, c, m, CALLER)) : REAL(pthread_cond_clockwait)(c, m, clock, limit);
}
EXPORT int pthread_cond_signal(pthread_cond_t *c) { return weave_me ? COND(OP_COND_SIGNAL) : REAL(pthread_cond_signal)(c); }
EXPORT int pthread_cond_broadcast(pthread_cond_t *c) {
  return weave_me ? COND(OP_COND_BROADCAST) : REAL(pthread_cond_broadcast)(c);
}

/* POSIX semaphores. The value in memory is that of sem_init; the third word is 0 if it is for one
   process. */
static uint32_t fresh_sem(sem_t *s) {
  const uint32_t *words = (const uint32_t *)s; /* value, waiters, private */
  return fresh(sem_mark(s), mark_of(s), !words[1]) | (words[2] ? 0 : WEAVE_PRIVATE);
}
#define SEM_AS(op, how) (weave_ask(op, (uint64_t)s, *(int *)s, how, fresh_sem(s), CALLER))
#define SEM(op) SEM_AS(op, 0)

static int sem_result(int64_t error) {
  if (!error) return 0;
  errno = (int)error;
  return -1;
}
EXPORT int sem_wait(sem_t *s) { return weave_me ? sem_result(SEM(OP_SEM_WAIT)) : REAL(sem_wait)(s); }
EXPORT int sem_trywait(sem_t *s) { return weave_me ? sem_result(SEM(OP_SEM_TRYWAIT)) : REAL(sem_trywait)(s); }
EXPORT int sem_timedwait(sem_t *s, const struct timespec *limit) {
  IN(limit);
  if (weave_me && !weave_is_time(limit)) return sem_result(EINVAL);
  return weave_me ? (weave_until(limit), sem_result(SEM(OP_SEM_TIMEDWAIT))) : REAL(sem_timedwait)(s, limit);
}
EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *limit) {
  IN(limit);
  if (weave_me && (!counts(clock) || !weave_is_time(limit))) return sem_result(EINVAL);
  return weave_me ? (weave_until(limit), sem_result(SEM_AS(OP_SEM_TIMEDWAIT, 1))) : REAL(sem_clockwait)(s, clock, limit);
}
EXPORT int sem_post(sem_t *s) { return weave_me ? sem_result(SEM(OP_SEM_POST)) : REAL(sem_post)(s); }
EXPORT int sem_getvalue(sem_t *s, int *value) {
  if (!weave_me) return REAL(sem_getvalue)(s, value);
  int now = (int)SEM(OP_SEM_GETVALUE);
  weave_access(value, sizeof *value, 1, CALLER);
  *value = now;
  return 0;
}

/* Read-write locks. */
static int64_t prefers_writers(pthread_rwlock_t *l) { return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }
static uint32_t fresh_rw(pthread_rwlock_t *l) {
  int initial = !(l->__data.__readers & ~1u) && !l->__data.__writers && !l->__data.__cur_writer; /* 1: who was last */
  return fresh(rw_mark(l), mark_of(l), initial) | (l->__data.__shared ? 0 : WEAVE_PRIVATE);
}
#define RW(op) (int)(weave_ask(op, (uint64_t)l, prefers_writers(l), 0, fresh_rw(l), CALLER))
EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l) { return weave_me ? RW(OP_RW_READ) : REAL(pthread_rwlock_rdlock)(l); }
EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return weave_me ? RW(OP_RW_WRITE) : REAL(pthread_rwlock_wrlock)(l); }
EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  return weave_me ? RW(OP_RW_TRYREAD) : REAL(pthread_rwlock_tryrdlock)(l);
}
EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  return weave_me ? RW(OP_RW_TRYWRITE) : REAL(pthread_rwlock_trywrlock)(l);
}
EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *limit) {
  IN(limit);
  if (weave_me && !weave_is_time(limit)) return EINVAL;
  return weave_me ? (weave_until(limit), RW(OP_RW_TIMEDREAD)) : REAL(pthread_rwlock_timedrdlock)(l, limit);
}
EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *limit) {
  IN(limit);
  if (weave_me && !weave_is_time(limit)) return EINVAL;
  return weave_me ? (weave_until(limit), RW(OP_RW_TIMEDWRITE)) : REAL(pthread_rwlock_timedwrlock)(l, limit);
}
EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *limit) {
  IN(limit);
  if (weave_me && (!counts(clock) || !weave_is_time(limit))) return EINVAL;
  return weave_me ? (weave_until(limit), RW(OP_RW_TIMEDREAD)) : REAL(pthread_rwlock_clockrdlock)(l, clock, limit);
}
EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *limit) {
  IN(limit);
  if (weave_me && (!counts(clock) || !weave_is_time(limit))) return EINVAL;
  return weave_me ? (weave_until(limit), RW(OP_RW_TIMEDWRITE)) : REAL(pthread_rwlock_clockwrlock)(l, clock, limit);
}
EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l) { return weave_me ? RW(OP_RW_UNLOCK) : REAL(pthread_rwlock_unlock)(l); }

/* Barriers: the third word of the memory is the count, the fourth is 0 if it is for one process. */
EXPORT int pthread_barrier_wait(pthread_barrier_t *b) {
  if (!weave_me) return REAL(pthread_barrier_wait)(b);
  int64_t count = ((uint32_t *)b)[2];
  uint32_t private = ((uint32_t *)b)[3] ? 0 : WEAVE_PRIVATE;
  return (int)weave_ask(OP_BARRIER_WAIT, (uint64_t)b, count, 0, fresh(barrier_mark(b), mark_of(b), 1) | private, CALLER);
}

/* Spin locks are mutexes. */
static uint32_t fresh_spin(uint32_t *l) {
  uint32_t shared = *l & SPIN_SHARED;
  return fresh(l, SPIN_MARK | shared | place_of(l), *l == (1 | shared)) | (shared ? 0 : WEAVE_PRIVATE);
}
#define SPIN(op) (int)(weave_ask(op, (uint64_t)l, 0, 0, fresh_spin((uint32_t *)l), CALLER))
EXPORT int pthread_spin_lock(pthread_spinlock_t *l) { return weave_me ? SPIN(OP_MUTEX_LOCK) : REAL(pthread_spin_lock)(l); }
EXPORT int pthread_spin_trylock(pthread_spinlock_t *l) {
  return weave_me ? SPIN(OP_MUTEX_TRYLOCK) : REAL(pthread_spin_trylock)(l);
}
EXPORT int pthread_spin_unlock(pthread_spinlock_t *l) {
  return weave_me ? SPIN(OP_MUTEX_UNLOCK) : REAL(pthread_spin_unlock)(l);
}

/* Once. A routine that is left by an exception, or because the thread is cancelled, has not been
 * done. The unwinder, whichever it is, then calls the personality of the frame of `run_once`.
 * Written by hand: what the compiler makes of a cleanup needs the unwinder's library. */
struct once {
  pthread_once_t *control;
  uint64_t pc;
  struct once *outer;
};
static __thread struct once *innermost __attribute__((tls_model("initial-exec")));
static void end_once(int64_t undone) {
  struct once *o = innermost;
  innermost = o->outer;
  weave_ask(OP_ONCE_DONE, (uint64_t)o->control, undone, 0, 0, o->pc);
}
enum { CLEANUP_PHASE = 2, CONTINUE_UNWIND = 8 };
enum { ONCE_DONE = 2 }; /* the C library's */
__attribute__((used)) int weave_leave_once(int version, int actions, uint64_t class, void *exception, void *frame) {
  (void)version, (void)class, (void)exception, (void)frame;
  if (actions & CLEANUP_PHASE) end_once(1);
  return CONTINUE_UNWIND;
}
static __attribute__((noinline)) void run_once(void (*routine)(void)) {
  __asm__ volatile(".cfi_personality 0x1b, weave_leave_once"); /* relative to where it stands, four bytes */
  routine();
  __asm__ volatile(""); /* this frame stays until then */
}
EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  if (!weave_me) return REAL(pthread_once)(control, routine);
  if (*(volatile int *)control == ONCE_DONE) return 0; /* before main */
  uint32_t first = fresh((uint32_t *)control, ONCE_MARK | place_of(control), !*control) | WEAVE_PRIVATE;
  if (!weave_ask(OP_ONCE, (uint64_t)control, 0, 0, first, CALLER)) return 0;
  struct once once = {control, CALLER, innermost};
  innermost = &once;
  run_once(routine);
  end_once(0);
  return 0;
}

/* Static variables of C++ functions. The second word of the guard is ours. */
EXPORT int __cxa_guard_acquire(uint32_t *guard) {
  if (!weave_me) return !*(volatile char *)guard;
  return (int)weave_ask(OP_ONCE, (uint64_t)guard, 0, 0, fresh(&guard[1], mark_of(guard), 1), CALLER);
}
EXPORT void __cxa_guard_release(uint32_t *guard) {
  if (weave_me) {
    weave_ask(OP_ONCE_DONE, (uint64_t)guard, 0, 0, 0, CALLER);
    weave_ask(OP_STORE, (uint64_t)guard, 1, 0, 0, CALLER); /* the code looks at this byte first */
  }
  *(volatile char *)guard = 1;
}
EXPORT void __cxa_guard_abort(uint32_t *guard) {
  if (weave_me) weave_ask(OP_ONCE_DONE, (uint64_t)guard, 1, 0, 0, CALLER);
}

EXPORT int sched_yield(void) { return 0; }
EXPORT void thrd_yield(void) {}

#include <threads.h>
/* C11 threads: the same objects under other names. */
static int c11(int error) {
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : error == ENOMEM ? thrd_nomem : thrd_error;
}
struct c11_start {
  thrd_start_t run;
  void *argument;
};
static void *c11_begin(void *given) {
  struct c11_start mine = *(struct c11_start *)given;
  free(given);
  return (void *)(intptr_t)mine.run(mine.argument);
}
EXPORT int thrd_create(thrd_t *thread, thrd_start_t run, void *argument) {
  struct c11_start *child = malloc(sizeof *child);
  if (!child) return thrd_nomem;
  *child = (struct c11_start){run, argument};
  OUT(thread);
  weave_lend(argument, CALLER);
  return c11(pthread_create((pthread_t *)thread, 0, c11_begin, child));
}
EXPORT int thrd_join(thrd_t thread, int *result) {
  void *value = 0;
  int error = pthread_join((pthread_t)thread, &value);
  if (!error) OUT(result);
  if (!error && result) *result = (int)(intptr_t)value;
  return c11(error);
}
EXPORT int thrd_detach(thrd_t thread) { return c11(pthread_detach((pthread_t)thread)); }
EXPORT void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
EXPORT int thrd_sleep(const struct timespec *duration, struct timespec *rest) {
  weave_point(CALLER);
  IN(duration);
  if (weave_me && duration && !weave_is_time(duration)) return -2;
  OUT(rest);
  if (rest) memset(rest, 0, sizeof *rest);
  return 0;
}
EXPORT int mtx_lock(mtx_t *m) { return c11(pthread_mutex_lock((pthread_mutex_t *)m)); }
EXPORT int mtx_trylock(mtx_t *m) { return c11(pthread_mutex_trylock((pthread_mutex_t *)m)); }
EXPORT int mtx_timedlock(mtx_t *m, const struct timespec *limit) { return IN(limit), c11(pthread_mutex_timedlock((pthread_mutex_t *)m, limit)); }
EXPORT int mtx_unlock(mtx_t *m) { return c11(pthread_mutex_unlock((pthread_mutex_t *)m)); }
EXPORT int cnd_wait(cnd_t *c, mtx_t *m) { return c11(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m)); }
EXPORT int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *limit) {
  IN(limit);
  return c11(pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, limit));
}
EXPORT int cnd_signal(cnd_t *c) { return c11(pthread_cond_signal((pthread_cond_t *)c)); }
EXPORT int cnd_broadcast(cnd_t *c) { return c11(pthread_cond_broadcast((pthread_cond_t *)c)); }
EXPORT void call_once(once_flag *flag, void (*routine)(void)) { pthread_once((pthread_once_t *)flag, routine); }
