/* The hand-over: a thread posts what it wants to do next and sleeps until the scheduler lets it. */
#include "files.h"
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unwind.h>

struct weave_shared *weave_shared;
__thread struct weave_slot *weave_me __attribute__((tls_model("initial-exec")));

__thread char weave_uncancelled __attribute__((tls_model("initial-exec")));

/* Who called, innermost first. Not `backtrace` of the C library: its first call loads the
   unwinder, and so changes what malloc gives. */
struct walked {
  uint64_t *to;
  int count;
};
static _Unwind_Reason_Code walk_on(struct _Unwind_Context *frame, void *given) {
  struct walked *w = given;
  if (w->count >= 0) w->to[w->count] = _Unwind_GetIP(frame);
  return ++w->count < LIM_STACK ? _URC_NO_REASON : _URC_END_OF_STACK;
}
static __attribute__((noinline)) uint32_t walk(uint64_t *to) {
  struct walked w = {to, -1}; /* not this function */
  _Unwind_Backtrace(walk_on, &w);
  return w.count > 0 ? (uint32_t)w.count : 0;
}

static int is_point(uint32_t op, int64_t a, int64_t b) {
  switch (op) {
  case OP_COND_WAIT:
  case OP_COND_TIMEDWAIT:
  case OP_SEM_WAIT:
  case OP_SEM_TIMEDWAIT:
  case OP_JOIN:
  case OP_WAIT:
  case OP_SLEEP:
  case OP_SIGWAIT:
  case OP_SUSPEND:
  case OP_PAUSE:
  case OP_FIFO_OPEN:
  case OP_MSG_SEND:
  case OP_MSG_RECEIVE:
  case OP_MQ_SEND:
  case OP_MQ_RECEIVE:
  case OP_FD_READ:
  case OP_FD_WRITE:
  case OP_FD_CLOSE:
  case OP_FD_POLL:
  case OP_EPOLL_WAIT: return !weave_uncancelled;
  case OP_TEST_CANCEL: return !weave_uncancelled && a != 1;
  case OP_FILE_LOCK: return !weave_uncancelled && !(b & 5);
  default: return 0;
  }
}

/* Whether a thread that comes to such a call with a request pending ends at once; behind that it may
   still do what it came for. A join of a thread that has ended and sem_clockwait (b) look for the
   request only where they wait, in the C library; a wait for a condition lets go of its mutex
   first; and of the others nothing is seen if they return. */
static int looks_first(uint32_t op, int64_t a, int64_t b) {
  switch (op) {
  case OP_COND_WAIT:
  case OP_COND_TIMEDWAIT:
  case OP_JOIN:
  case OP_SLEEP:
  case OP_TEST_CANCEL: return 0;
  case OP_SEM_TIMEDWAIT: return b != 1 && is_point(op, a, b);
  default: return is_point(op, a, b);
  }
}

void *weave_real(const char *name) {
  void *found = weave_real_lookup()(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

long weave_raw(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

long weave_call(long number, long a, long b, long c, long d, long e, long f) {
  weave_changed();
  return weave_raw(number, a, b, c, d, e, f);
}

long weave_result(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

long weave_sleep_or_wake(uint32_t *word, int op, uint32_t value) { return weave_raw(SYS_futex, (long)word, op, value, 0, 0, 0); }

void weave_ring(void) {
  __atomic_add_fetch(&weave_shared->bell, 1, __ATOMIC_SEQ_CST);
  weave_sleep_or_wake(&weave_shared->bell, FUTEX_WAKE, 1);
}

static struct weave_data *data_of(const struct weave_slot *slot) { return &weave_shared->data[slot - weave_shared->slot]; }
uint8_t *weave_bytes(void) { return data_of(weave_me)->bytes; }

static void copy(volatile uint8_t *to, const volatile uint8_t *from, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) to[i] = from[i];
}

/* Whether a request is the one that is foreseen. */
static int as_foreseen(const struct weave_event *e, const struct weave_slot *s) {
  if (e->op != s->op || e->flags != s->flags || e->object != s->object || e->a != s->a || e->b != s->b || e->c != s->c) return 0;
  if (e->pc != s->pc || e->time != s->time || e->until != s->until || e->length != s->length || s->frames) return 0;
  const uint8_t *mine = data_of(s)->bytes, *then = weave_shared->tape_data + e->data;
  for (uint32_t i = 0; i < e->length; i++)
    if (mine[i] != then[i]) return 0;
  return 1;
}

/* The next event of the tape, if it can happen now. */
static struct weave_event *next_event(void) {
  uint32_t at = LOAD(&weave_shared->played);
  if (at >= LOAD(&weave_shared->foreseen) || at >= LIM_TAPE) return 0;
  struct weave_event *e = &weave_shared->tape[at];
  return e->answer || LOAD(&weave_shared->slot[e->who % LIM_SLOTS].posted) ? e : 0;
}

/* Lets events of the tape happen, as many as can. The last one who may go on because of that is
   woken last. */
static uint32_t *play(uint32_t *woken, const struct weave_slot *me) {
  for (struct weave_event *e; (e = next_event());) {
    struct weave_slot *slot = &weave_shared->slot[e->who % LIM_SLOTS];
    if (e->answer) {
      weave_shared->several = e->several;
      slot->result = (int64_t)e->object;
      slot->time = e->time;
      copy(data_of(slot)->bytes, weave_shared->tape_data + e->data, e->length);
      STORE(&slot->posted, 0);
      STORE(&slot->turn, 1);
      if (woken) weave_sleep_or_wake(woken, FUTEX_WAKE, 1);
      woken = slot == me ? 0 : &slot->turn;
    } else if (as_foreseen(e, slot)) {
      e->notes = weave_shared->notes;
      e->accesses = weave_shared->accesses;
    } else {
      weave_shared->differs = 1;
      STORE(&weave_shared->foreseen, 0);
    }
    __atomic_add_fetch(&weave_shared->played, 1, __ATOMIC_SEQ_CST);
  }
  return woken;
}

/* One thread at a time plays; who comes meanwhile is seen by it. The scheduler hears of the end. */
static void advance(const struct weave_slot *me) {
  uint32_t *woken = 0;
  while (next_event()) {
    if (__atomic_exchange_n(&weave_shared->playing, 1, __ATOMIC_SEQ_CST)) break;
    woken = play(woken, me);
    STORE(&weave_shared->playing, 0);
  }
  if (woken) weave_sleep_or_wake(woken, FUTEX_WAKE, 1);
}

int weave_is_foreseen(void) { return LOAD(&weave_shared->played) < LOAD(&weave_shared->foreseen); }

static void post(struct weave_slot *slot) {
  STORE(&slot->turn, 0);
  STORE(&slot->parked, 0);
  STORE(&slot->posted, 1);
  if (weave_is_foreseen()) advance(slot);
  if (!weave_is_foreseen()) weave_ring();
}

void weave_flush(uint64_t pc) {
  STORE(&weave_shared->foreseen, 0);
  weave_ask(OP_NONE, 0, 0, 0, 0, pc);
}

void weave_await_turn(struct weave_slot *slot) {
  while (__atomic_load_n(&slot->turn, __ATOMIC_SEQ_CST) == 0) {
    /* From the mark on nothing is written, not even to the stack. */
    long result;
    register long limit __asm__("r10") = 0;
    __asm__ volatile("movl $1, %[parked]\n\tsyscall"
                     : "=a"(result), [parked] "=m"(slot->parked)
                     : "a"(SYS_futex), "D"(&slot->turn), "S"(FUTEX_WAIT), "d"(0), "r"(limit)
                     : "rcx", "r11", "memory");
  }
}

static void fill(struct weave_slot *slot, uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc) {
  weave_count();
  slot->op = op;
  slot->flags = is_point(op, a, b) ? WEAVE_POINT : 0;
  slot->object = object;
  slot->a = a;
  slot->b = b;
  slot->c = c;
  slot->pc = pc;
  slot->frames = 0;
  slot->length = 0;
  weave_show_clock(slot);
  if (weave_shared->stacks) {
    weave_me = 0; /* the unwinder uses locks of its own */
    slot->frames = walk(data_of(slot)->stack);
    weave_me = slot;
  }
}

static int64_t answer(struct weave_slot *slot) {
  uint32_t point = slot->flags & WEAVE_POINT;
  post(slot);
  weave_await_turn(slot);
  while (slot->result == WEAVE_SIGNAL || slot->result == WEAVE_SUSPENDED) {
    weave_set_clock(slot);
    weave_handle(slot->result == WEAVE_SUSPENDED);
    weave_tell_mask(0);
    fill(slot, OP_RESUME, 0, 0, 0, 0, 0);
    post(slot);
    weave_await_turn(slot);
  }
  weave_set_clock(slot);
  if (point && slot->result == WEAVE_CANCELLED) {
    weave_uncancelled = 1;
    weave_leave_streams();
    pthread_exit(PTHREAD_CANCELED);
  }
  return slot->result;
}

/* A thread that goes round in a circle waits; that it is let go on means: once more. */
static void wait_if_circling(uint32_t op, uint64_t object, uint64_t pc) {
  if (!weave_circles(op, object, pc)) return;
  fill(weave_me, OP_CIRCLE, 0, weave_loop_sleeps(), weave_changes(), 0, pc);
  answer(weave_me);
}

/* Keeps the registers that survive a call, and where the stack is, before any function of ours
 * has touched them; then goes on to the function behind it. */
#define KEEPS(function)                                                                                                \
  __asm__ volatile("mov weave_me@gottpoff(%%rip), %%r11\nmov %%fs:(%%r11), %%r11\nadd %0, %%r11\n"                     \
                   "mov %%rbx, 0(%%r11)\nmov %%rbp, 8(%%r11)\nmov %%r12, 16(%%r11)\nmov %%r13, 24(%%r11)\n"           \
                   "mov %%r14, 32(%%r11)\nmov %%r15, 40(%%r11)\nmov %%rsp, 48(%%r11)\nmovq $0, 56(%%r11)\n"           \
                   "stmxcsr 56(%%r11)\nfnstcw 60(%%r11)\njmp " #function ::"i"(offsetof(struct weave_slot, kept)))

static int64_t ask(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc);

/* Where threads are cancelled, a call that is a cancellation point begins with a look at that. */
static void come_to(uint32_t op, int64_t a, int64_t b, uint64_t pc) {
  if (!weave_shared->cancels || !looks_first(op, a, b)) return;
  uint64_t until = weave_me->until;
  ask(OP_TEST_CANCEL, 0, 0, 0, 0, pc);
  weave_me->until = until;
}

__attribute__((used)) static int64_t ask(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc) {
  int kept = errno;
  come_to(op, a, b, pc);
  weave_tell_mask(pc);
  wait_if_circling(op, object, pc);
  fill(weave_me, op, object, a, b, c, pc);
  int64_t result = answer(weave_me);
  weave_me->until = 0;
  errno = kept; /* before memory is looked at */
  weave_goes_on(op, result);
  errno = kept;
  return result;
}

__attribute__((naked)) int64_t weave_ask(__attribute__((unused)) uint32_t op, __attribute__((unused)) uint64_t object,
                                        __attribute__((unused)) int64_t a, __attribute__((unused)) int64_t b,
                                        __attribute__((unused)) int64_t c, __attribute__((unused)) uint64_t pc) {
  KEEPS(ask);
}

int64_t weave_ask_data(uint32_t op, uint64_t object, int64_t a, int64_t b, const void *data, size_t length, uint64_t pc) {
  return weave_ask_all(op, object, a, b, 0, data, length, pc);
}

__attribute__((used)) static int64_t ask_all(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, const void *data,
                                             size_t length, uint64_t pc) {
  int kept = errno;
  struct weave_slot *me = weave_me;
  come_to(op, a, b, pc);
  weave_tell_mask(pc);
  wait_if_circling(op, object, pc);
  fill(me, op, object, a, b, c, pc);
  me->length = length < LIM_DATA ? (uint32_t)length : LIM_DATA;
  copy(data_of(me)->bytes, data, me->length);
  int64_t result = answer(me);
  me->until = 0;
  errno = kept;
  weave_goes_on(op, result);
  errno = kept;
  return result;
}

__attribute__((naked)) int64_t weave_ask_all(__attribute__((unused)) uint32_t op, __attribute__((unused)) uint64_t object,
                                            __attribute__((unused)) int64_t a, __attribute__((unused)) int64_t b,
                                            __attribute__((unused)) int64_t c, __attribute__((unused)) const void *data,
                                            __attribute__((unused)) size_t length, __attribute__((unused)) uint64_t pc) {
  KEEPS(ask_all);
}

void weave_text(uint32_t op, const char *text, int64_t a, uint64_t pc) {
  if (weave_me) weave_ask_data(op, 0, a, 0, text, strlen(text), pc);
}

void weave_tell_last(uint32_t op, int64_t a) {
  struct weave_slot *me = weave_me;
  weave_changed();
  fill(me, op, 0, a, 0, 0, 0);
  weave_me = 0; /* fill has set it */
  post(me);
}

void weave_note(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc) {
  weave_changed();
  weave_note_calmly(op, object, a, b, c, pc);
}

void weave_note_calmly(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc) {
  uint32_t at = weave_shared->notes;
  if (at >= LIM_NOTES) {
    weave_flush(pc);
    at = weave_shared->notes;
  }
  uint32_t slot = (uint32_t)(weave_me - weave_shared->slot);
  weave_shared->note[at] = (struct weave_note){op, slot, object, a, b, c, pc};
  weave_shared->notes = at + 1;
}

int64_t weave_set(uint32_t op, uint64_t object, int64_t a, int64_t b, uint64_t pc) {
  if (weave_shared->several) return weave_ask(op, object, a, b, 0, pc);
  weave_note(op, object, a, b, 0, pc);
  return 0;
}
