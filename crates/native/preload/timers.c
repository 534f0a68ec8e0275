/* Timers that send a signal. When they do is not known: at any point, until they are stopped. */
#include "accesses.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MADE 16 /* the first that timer_create makes */
#define MOST 64
static struct made {
  int used, signal;
  int64_t value;
} made[MOST];

static int64_t set(uint64_t number, int signal, int repeats, int64_t code, int64_t value, uint64_t pc) {
  int64_t words[] = {code, value};
  return weave_ask_data(OP_TIMER, number, signal, repeats, words, sizeof words, pc);
}

EXPORT unsigned alarm(unsigned seconds) {
  if (!weave_me) return REAL(alarm)(seconds);
  return (unsigned)set(0, seconds ? SIGALRM : 0, 0, SI_KERNEL, 0, CALLER);
}
EXPORT unsigned ualarm(unsigned after, unsigned interval) {
  if (!weave_me) return REAL(ualarm)(after, interval);
  return (unsigned)set(0, after ? SIGALRM : 0, interval != 0, SI_KERNEL, 0, CALLER);
}
EXPORT int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old) {
  if (!weave_me) return REAL(setitimer)(which, new, old);
  static const int signals[] = {SIGALRM, SIGVTALRM, SIGPROF};
  if ((unsigned)which > 2) return (int)weave_result(-EINVAL);
  IN(new);
  int runs = new && (new->it_value.tv_sec || new->it_value.tv_usec);
  int repeats = runs && (new->it_interval.tv_sec || new->it_interval.tv_usec);
  int64_t before = set((uint64_t)which, runs ? signals[which] : 0, repeats, SI_KERNEL, 0, CALLER);
  OUT(old);
  if (old) *old = (struct itimerval){{0, 0}, {0, before}};
  return 0;
}
EXPORT int getitimer(__itimer_which_t which, struct itimerval *now) {
  if (weave_me) weave_text(OP_UNCONTROLLED, "getitimer", 0, CALLER);
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
  int runs = new->it_value.tv_sec || new->it_value.tv_nsec, repeats = runs && (new->it_interval.tv_sec || new->it_interval.tv_nsec);
  int64_t before = set((uint64_t)(uintptr_t)timer, runs ? it->signal : 0, repeats, SI_TIMER, it->value, CALLER);
  OUT(old);
  if (old) *old = (struct itimerspec){{0, 0}, {0, before}};
  return 0;
}
EXPORT int timer_gettime(timer_t timer, struct itimerspec *now) {
  if (!weave_me) return REAL(timer_gettime)(timer, now);
  weave_text(OP_UNCONTROLLED, "timer_gettime", 0, CALLER);
  OUT(now);
  memset(now, 0, sizeof *now);
  return find(timer) ? 0 : (int)weave_result(-EINVAL);
}
EXPORT int timer_getoverrun(timer_t timer) {
  if (!weave_me) return REAL(timer_getoverrun)(timer);
  return find(timer) ? 0 : (int)weave_result(-EINVAL);
}
EXPORT int timer_delete(timer_t timer) {
  if (!weave_me) return REAL(timer_delete)(timer);
  struct made *it = find(timer);
  if (!it) return (int)weave_result(-EINVAL);
  set((uint64_t)(uintptr_t)timer, 0, 0, 0, 0, CALLER);
  it->used = 0;
  return 0;
}
