/* Timers that send a signal. When they do is not known: at any point, until they are stopped. */
#include "accesses.h"
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MADE 16 /* the first that timer_create makes */
#define MOST 64
static struct made {
  int used, signal;
  int64_t value;
} made[MOST];

/* What each was set to: when it fires, and how long after that again. */
static struct setting {
  uint64_t until, again;
} settings[MADE + MOST];

/* What is left of it, as it was set before: no time, if it was not or has fired. */
static struct setting set(uint64_t number, int signal, struct setting new, int64_t code, int64_t value, uint64_t pc) {
  int64_t words[] = {code, value};
  if (signal) weave_within(new.until);
  int64_t before = weave_ask_data(OP_TIMER, number, signal, signal && new.again, words, sizeof words, pc);
  weave_me->until = 0;
  struct setting old = settings[number];
  uint64_t now = weave_by_now(); /* another timer may have moved it meanwhile */
  settings[number] = (struct setting){now + new.until, new.again};
  if (!before) return (struct setting){0, 0};
  return (struct setting){old.until > now ? old.until - now : 1, old.again};
}
#define SECOND 1000000000ull
static struct setting of_microseconds(uint64_t after, uint64_t again) { return (struct setting){after * 1000, again * 1000}; }
static struct timespec spec(uint64_t time) { return (struct timespec){(time_t)(time / SECOND), (long)(time % SECOND)}; }
static struct timeval val(uint64_t time) {
  uint64_t up = time + 999; /* what still runs is not shown as 0 */
  return (struct timeval){(time_t)(up / SECOND), (suseconds_t)(up % SECOND / 1000)};
}

/* Work of a program takes no time here: one that computes long enough gets the signal for sure. */
static void counts_work(uint64_t pc) { weave_text(OP_UNCONTROLLED, "a timer that counts CPU time", OTHERWISE, pc); }

EXPORT unsigned alarm(unsigned seconds) {
  if (!weave_me) return REAL(alarm)(seconds);
  struct setting old = set(0, seconds ? SIGALRM : 0, of_microseconds(seconds * 1000000ull, 0), SI_KERNEL, 0, CALLER);
  uint64_t whole = old.until / SECOND, rest = old.until % SECOND; /* rounded as the kernel does */
  return (unsigned)(whole + ((!whole && rest) || rest >= SECOND / 2));
}
EXPORT unsigned ualarm(unsigned after, unsigned interval) {
  if (!weave_me) return REAL(ualarm)(after, interval);
  return (unsigned)((set(0, after ? SIGALRM : 0, of_microseconds(after, interval), SI_KERNEL, 0, CALLER).until + 999) / 1000);
}
EXPORT int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old) {
  if (!weave_me) return REAL(setitimer)(which, new, old);
  static const int signals[] = {SIGALRM, SIGVTALRM, SIGPROF};
  if ((unsigned)which > 2) return (int)weave_result(-EINVAL);
  IN(new);
  struct itimerval to = new ? *new : (struct itimerval){{0, 0}, {0, 0}};
  int runs = to.it_value.tv_sec || to.it_value.tv_usec;
  if (runs && which) counts_work(CALLER);
  struct setting wanted = of_microseconds((uint64_t)to.it_value.tv_sec * 1000000u + (uint64_t)to.it_value.tv_usec,
                                          (uint64_t)to.it_interval.tv_sec * 1000000u + (uint64_t)to.it_interval.tv_usec);
  struct setting before = set((uint64_t)which, runs ? signals[which] : 0, wanted, SI_KERNEL, 0, CALLER);
  OUT(old);
  if (old) *old = (struct itimerval){val(before.again), val(before.until)};
  return 0;
}
EXPORT int getitimer(__itimer_which_t which, struct itimerval *now) {
  if (weave_me) weave_text(OP_UNCONTROLLED, "getitimer", OTHERWISE, CALLER);
  OUT(now);
  return REAL(getitimer)(which, now);
}

static struct made *find(timer_t timer) {
  uintptr_t at = (uintptr_t)timer - MADE;
  return at < MOST && made[at].used ? &made[at] : 0;
}
EXPORT int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
  if (!weave_me) return REAL(timer_create)(clock, event, timer);
  IN(event);
  OUT(timer);
  if (event && event->sigev_notify != SIGEV_SIGNAL && event->sigev_notify != SIGEV_NONE)
    weave_text(OP_UNCONTROLLED, "a timer that calls a function, or one thread", 1, CALLER);
  if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0) counts_work(CALLER);
  int real; /* what is wrong with the arguments, the kernel knows */
  weave_identity(IDENTITY_TIMER, ACC_GIVEN, CALLER);
  long error = weave_raw(SYS_timer_create, clock, (long)event, (long)&real, 0, 0, 0);
  if (error) return (int)weave_result(error);
  weave_raw(SYS_timer_delete, real, 0, 0, 0, 0, 0);
  for (int i = 0; i < MOST; i++) {
    if (made[i].used) continue;
    made[i] = (struct made){1, event ? event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo : SIGALRM,
                            event ? (int64_t)event->sigev_value.sival_ptr : MADE + i};
    *timer = (timer_t)(uintptr_t)(MADE + i);
    return 0;
  }
  return (int)weave_result(-EAGAIN);
}
EXPORT int timer_settime(timer_t timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
  if (!weave_me) return REAL(timer_settime)(timer, flags, new, old);
  struct made *it = find(timer);
  if (!it || !new) return (int)weave_result(-EINVAL);
  IN(new);
  if (!weave_is_time(&new->it_value) || !weave_is_time(&new->it_interval)) return (int)weave_result(-EINVAL);
  int runs = new->it_value.tv_sec || new->it_value.tv_nsec;
  struct setting wanted = {weave_nanoseconds(&new->it_value), weave_nanoseconds(&new->it_interval)};
  if (flags & TIMER_ABSTIME) wanted.until = weave_from_now(&new->it_value);
  struct setting before = set((uint64_t)(uintptr_t)timer, runs ? it->signal : 0, wanted, SI_TIMER, it->value, CALLER);
  OUT(old);
  if (old) *old = (struct itimerspec){spec(before.again), spec(before.until)};
  return 0;
}
EXPORT int timer_gettime(timer_t timer, struct itimerspec *now) {
  if (!weave_me) return REAL(timer_gettime)(timer, now);
  weave_text(OP_UNCONTROLLED, "timer_gettime", OTHERWISE, CALLER);
  OUT(now);
  memset(now, 0, sizeof *now);
  return find(timer) ? 0 : (int)weave_result(-EINVAL);
}
EXPORT int timer_getoverrun(timer_t timer) {
  if (!weave_me) return REAL(timer_getoverrun)(timer);
  return find(timer) ? 0 : (int)weave_result(-EINVAL);
}
EXPORT int timer_delete(timer_t timer) {
  weave_identity(IDENTITY_TIMER, ACC_TAKEN, CALLER);
  if (!weave_me) return REAL(timer_delete)(timer);
  struct made *it = find(timer);
  if (!it) return (int)weave_result(-EINVAL);
  set((uint64_t)(uintptr_t)timer, 0, (struct setting){0, 0}, 0, 0, CALLER);
  it->used = 0;
  return 0;
}
