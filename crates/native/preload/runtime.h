/* What the parts of the preloaded library share. */
#ifndef WEAVE_RUNTIME_H
#define WEAVE_RUNTIME_H
#define _GNU_SOURCE
#include "protocol.h"
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER ((uint64_t)__builtin_return_address(0))
/* The function behind ours. All of them are looked up before the first run, not once in each. */
#define REAL(name)                                                                                  \
  (*({                                                                                              \
    static struct weave_behind behind_ __attribute__((section("weave_behind"), used)) = {#name, 0}; \
    if (!behind_.function) behind_.function = weave_real(#name);                                    \
    (__typeof__(&name) *)&behind_.function;                                                         \
  }))

struct weave_behind {
  const char *name;
  void *function;
};

extern struct weave_shared *weave_shared;
extern __thread struct weave_slot *weave_me __attribute__((tls_model("initial-exec")));

/* How many requests this process has made; one more. Kept in spin.c. */
uint64_t weave_requests(void);
void weave_count(void);

/* This thread does not want to be cancelled. */
extern __thread char weave_uncancelled __attribute__((tls_model("initial-exec")));

#define LOAD(place) __atomic_load_n(place, __ATOMIC_SEQ_CST)
#define STORE(place, value) __atomic_store_n(place, value, __ATOMIC_SEQ_CST)

/* Between runtime.c, life.c, server.c and backstop.c: a futex of ours; the scheduler's bell;
 * whether the tape is played; sleeping until it is one's turn; what is installed before main. */
long weave_sleep_or_wake(uint32_t *word, int op, uint32_t value);
void weave_ring(void);
int weave_is_foreseen(void);
void weave_await_turn(struct weave_slot *slot);
void weave_watch_ends(void);
void weave_end_stack(void);
int64_t weave_first_slot(unsigned long thread); /* -1: another one */
/* A thread exits: handlers that others set have an order with it. */
void weave_begin_exit(uint64_t pc);
void weave_watch_signals(void);
void weave_install_backstop(void);

void *weave_real(const char *name);
/* The real dlsym (lookup.c). */
void *(*weave_real_lookup(void))(void *, const char *);

/* The bytes that came with the last answer. */
uint8_t *weave_bytes(void);

/* Posts a request and waits until the scheduler lets this thread go on. Keeps errno. */
int64_t weave_ask(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc);
int64_t weave_ask_data(uint32_t op, uint64_t object, int64_t a, int64_t b, const void *data, size_t length, uint64_t pc);
int64_t weave_ask_all(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, const void *data, size_t length, uint64_t pc);
/* Posts a request that is not answered: the thread ends. */
void weave_tell_last(uint32_t op, int64_t a);
/* A notice for the scheduler; it reads it before the next request. */
void weave_note(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc);
/* The same, of something that changes nothing. */
void weave_note_calmly(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc);
/* There is no room for more notices and accesses: the scheduler has to read them now. */
void weave_flush(uint64_t pc);
/* A request if another thread could see the difference, a notice otherwise. */
int64_t weave_set(uint32_t op, uint64_t object, int64_t a, int64_t b, uint64_t pc);
void weave_text(uint32_t op, const char *text, int64_t a, uint64_t pc);
extern uint32_t weave_begun_early; /* a thread was created before the program was controlled */
extern int weave_handles; /* the process has, or had, a handler */
void weave_begin_thread(struct weave_slot *slot);
/* Whose slot it is. */
void weave_name_slot(struct weave_slot *slot, int32_t pid, int32_t tid);
/* In the child of a fork: the other threads are not here. */
void weave_forget_threads(void);
void weave_end_process(int status) __attribute__((noreturn));
/* A plain access to memory on behalf of the program. */
void weave_access(const volatile void *at, uint64_t size, uint32_t write, uint64_t pc);
/* The same for a whole block that is freed; memory that is given out anew. */
void weave_free_block(const void *at, uint64_t size, uint64_t pc);
void weave_lend(const void *at, uint64_t pc);
int weave_is_libc(uint64_t pc);
void weave_renew(const void *at, uint64_t size);
/* Something that the system gives out is got (ACC_GIVEN) or given back (ACC_TAKEN); which one
   depends on the order (execution/identities.rs). */
enum weave_identity { IDENTITY_BLOCK, IDENTITY_MAPPING, IDENTITY_TIMER };
void weave_identity(uint64_t class, uint32_t how, uint64_t pc);
/* Room for what is written later, if that may have to wait, or nothing; what was just read, as
   it was then, for the same reason. */
struct weave_kept {
  void *many;
  size_t size;
  uint8_t few[1024];
};
void *weave_room(struct weave_kept *kept, size_t size, uint64_t pc);
const void *weave_keep(struct weave_kept *kept, const void *from, size_t size, uint64_t pc);
void weave_drop(struct weave_kept *kept);
/* The variable of a visible operation of weave.h, which is accessed next. */
extern __thread const volatile void *weave_declared __attribute__((tls_model("initial-exec")));
/* A string to its end. */
void weave_read_string(const char *s, uint64_t pc);
/* A system call of our own, which the backstop lets pass; an error is negative. */
long weave_call(long number, long a, long b, long c, long d, long e, long f);
/* The same, which does not count as a change. */
long weave_raw(long number, long a, long b, long c, long d, long e, long f);
/* -1 and errno for an error. */
long weave_result(long result);
/* Handlers run: of the signals that came with the last answer; of `sigsuspend` or not. */
void weave_handle(int suspended);
/* A thread blocks what its handlers, or a jump out of them, have left: tells the scheduler if
   that is new. */
void weave_tell_mask(uint64_t pc);
/* The thread, or the child of a fork, blocks what its creator did. */
void weave_begin_signals(void);
/* Whether a handler is the one that tells of crashes. */
int weave_is_watcher(void (*handler)(int));
/* Sends a signal to the calling thread; returns if it does not kill. */
void weave_raise(int signal);

/* Before the first run (thrift.c). */
void weave_prepare(void);

/* Loops that only wait (spin.c): before an operation, whether the thread has come round to it
 * without any change; behind it; something was changed, or may have been; time was passed, which
 * only clocks would show. */
int weave_circles(uint32_t op, uint64_t object, uint64_t pc);
void weave_goes_on(uint32_t op, int64_t result);
void weave_changed(void);
void weave_slept(void);
int weave_loop_sleeps(void);
int64_t weave_changes(void);
/* Whether an address belongs to this library. */
/* A cancellation point, or what POSIX lets be one (points.c). */
void weave_point(uint64_t pc);
void weave_optional_point(uint64_t pc);
/* A call that failed, or did less, because of a limit that we set (limits.c): the run is none. */
void weave_lacks_stack(uint64_t fault, uint64_t stack);
void weave_lacks_memory(const char *call, uint64_t size, uint64_t pc);
void weave_lacks_room(long number, const long *arguments, long result, uint64_t pc);
int weave_is_own(uint64_t at);
/* Whether this place in the code is in the table that the scheduler makes. */
int weave_is_place(uint64_t pc);
/* The child of a fork has the clock of its parent. */
void weave_copy_clock(struct weave_slot *to, struct weave_slot *from);
/* If sleeping orders: what the time is now for a thread; the next operation gives up then, or
   after so long. */
void weave_set_clock(struct weave_slot *slot);
void weave_until(const struct timespec *limit);
void weave_within(uint64_t nanoseconds);
/* Sleeps until the next operation would give up. */
int weave_sleep_on(void); /* 0, or an error: a signal */
void weave_tell_access(uint64_t at, uint64_t size, uint32_t what, uint64_t pc);
/* A function that is not safe in a handler is used. */
void weave_unsafe(unsigned which, uint64_t pc);
/* Nanoseconds since the beginning, as this thread knows; and from now on. */
uint64_t weave_by_now(void);
uint64_t weave_from_now(const struct timespec *limit);
void weave_show_clock(struct weave_slot *slot);
uint64_t weave_nanoseconds(const struct timespec *duration);

/* Whether a time limit is one, or none. */
struct timespec;
int weave_is_time(const struct timespec *limit);
#endif
