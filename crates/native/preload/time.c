/* Time and chance: each thread has its own clock, which moves by the calls it makes; sleeping
 * orders nothing. Requests tell what it shows, answers what it must show at least: what the
 * clocks of others showed that this thread comes behind, and the limit of an operation that has
 * timed out. So no clock goes back for those who know of each other.
 *
 * With `--time ordered` requests tell instead how long their threads have slept, and answers
 * what the time is. */
#include "accesses.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EPOCH 1000000000ull /* seconds */

static uint64_t clocks[LIM_SLOTS]; /* nanoseconds; not among the thread's own variables: see spin.c */
#define elapsed clocks[weave_me - weave_shared->slot]
static __thread uint64_t chance __attribute__((tls_model("initial-exec")));

void weave_copy_clock(struct weave_slot *to, struct weave_slot *from) {
  uint64_t now = clocks[from - weave_shared->slot], *its = &clocks[to - weave_shared->slot];
  if (*its != now) *its = now; /* writing would copy a page */
}

static void tell_clock(void) {
  static int reported;
  weave_changed();
  if (!reported) weave_note(OP_CLOCK, 0, 0, 0, 0, 0);
  reported = 1;
}

static struct timespec now(void) {
  elapsed += 1000;
  tell_clock();
  return (struct timespec){(time_t)(EPOCH + elapsed / 1000000000u), (long)(elapsed % 1000000000u)};
}
/* 0, or an error: a signal. */
static int pass(uint64_t nanoseconds, uint64_t pc) {
  elapsed += nanoseconds;
  if (weave_shared->ordered) {
    weave_me->time += nanoseconds;
    weave_changed();
  } else {
    weave_slept();
  }
  return weave_shared->several ? (int)-weave_ask(OP_SLEEP, 0, 0, 0, 0, pc) : 0;
}

#define LATEST (1ull << 33) /* seconds: more would not fit */
uint64_t weave_nanoseconds(const struct timespec *t) {
  uint64_t seconds = t->tv_sec < 0 ? 0 : (uint64_t)t->tv_sec;
  return (seconds < LATEST ? seconds : LATEST) * 1000000000u + (uint64_t)t->tv_nsec;
}
static uint64_t since_epoch(const struct timespec *t) {
  return t->tv_sec < (time_t)EPOCH ? 1 : weave_nanoseconds(t) - EPOCH * 1000000000u;
}

void weave_set_clock(struct weave_slot *slot) {
  uint64_t *clock = &clocks[slot - weave_shared->slot];
  if (*clock < slot->time) *clock = slot->time;
}
void weave_show_clock(struct weave_slot *slot) {
  if (!weave_shared->ordered) slot->time = clocks[slot - weave_shared->slot];
}
void weave_until(const struct timespec *limit) {
  if (limit) weave_me->until = since_epoch(limit);
}
uint64_t weave_by_now(void) { return weave_shared->ordered ? weave_me->time : elapsed; }
void weave_within(uint64_t nanoseconds) { weave_me->until = weave_by_now() + nanoseconds; }
uint64_t weave_from_now(const struct timespec *limit) {
  uint64_t until = since_epoch(limit), now = weave_by_now();
  return until > now ? until - now : 0;
}
int weave_sleep_on(void) {
  uint64_t until = weave_me->until, since = weave_by_now();
  weave_me->until = 0;
  return until > since ? pass(until - since, 0) : 0;
}

int weave_is_time(const struct timespec *limit) { return !limit || (limit->tv_nsec >= 0 && limit->tv_nsec < 1000000000 && limit->tv_sec >= 0); }

EXPORT int clock_gettime(clockid_t clock, struct timespec *result) {
  if (!weave_me) return REAL(clock_gettime)(clock, result);
  if (!weave_is_own(CALLER)) weave_access(result, sizeof *result, 1, CALLER);
  *result = now();
  return 0;
}
EXPORT int timespec_get(struct timespec *result, int base) {
  if (!weave_me) return REAL(timespec_get)(result, base);
  weave_access(result, sizeof *result, 1, CALLER);
  *result = now();
  return base;
}
EXPORT int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  if (!weave_me) return REAL(gettimeofday)(result, zone);
  struct timespec t = now();
  if (!weave_is_own(CALLER) && result) weave_access(result, sizeof *result, 1, CALLER);
  if (!weave_is_own(CALLER) && zone) weave_access(zone, sizeof(struct timezone), 1, CALLER);
  if (result) *result = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
  if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
  return 0;
}
EXPORT time_t time(time_t *result) {
  if (!weave_me) return REAL(time)(result);
  time_t seconds = now().tv_sec;
  if (result && !weave_is_own(CALLER)) weave_access(result, sizeof *result, 1, CALLER);
  if (result) *result = seconds;
  return seconds;
}
EXPORT clock_t clock(void) {
  if (!weave_me) return REAL(clock)();
  tell_clock();
  return (clock_t)(elapsed / 1000);
}

EXPORT unsigned sleep(unsigned seconds) {
  if (!weave_me) return REAL(sleep)(seconds);
  return pass(seconds * 1000000000ull, CALLER) && seconds ? 1 : 0;
}
EXPORT int usleep(useconds_t microseconds) {
  if (!weave_me) return REAL(usleep)(microseconds);
  return (int)weave_result(-pass(microseconds * 1000ull, CALLER));
}
EXPORT int nanosleep(const struct timespec *duration, struct timespec *rest) {
  if (!weave_me) return REAL(nanosleep)(duration, rest);
  IN(duration);
  int error = pass(weave_nanoseconds(duration), CALLER);
  if (error) OUT(rest);
  if (rest && error) *rest = (struct timespec){0, 1};
  return (int)weave_result(-error);
}
EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *rest) {
  if (!weave_me) return REAL(clock_nanosleep)(clock, flags, duration, rest);
  IN(duration);
  uint64_t until = since_epoch(duration);
  int absolute = flags & TIMER_ABSTIME;
  int error = pass(!absolute ? weave_nanoseconds(duration) : until > elapsed ? until - elapsed : 0, CALLER);
  if (error && !absolute) OUT(rest);
  if (rest && error && !absolute) *rest = (struct timespec){0, 1};
  return error;
}

/* No two threads draw the same, nor does a child what its parent draws. */
static void draw(unsigned char *buffer, size_t length) {
  static __thread uint64_t drawer __attribute__((tls_model("initial-exec")));
  uint64_t me = weave_me ? 1 + (uint64_t)(weave_me - weave_shared->slot) : 0;
  if (drawer != me) drawer = me, chance = (chance ^ me) * 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < length; i++) {
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    buffer[i] = (unsigned char)(chance >> 56);
  }
}
EXPORT ssize_t getrandom(void *buffer, size_t length, unsigned flags) {
  if (!weave_me) return REAL(getrandom)(buffer, length, flags);
  weave_point(CALLER); /* of the C library; getentropy is none */
  WRITES(buffer, length);
  draw(buffer, length);
  return (ssize_t)length;
}
EXPORT int getentropy(void *buffer, size_t length) {
  if (!weave_me) return REAL(getentropy)(buffer, length);
  WRITES(buffer, length);
  draw(buffer, length);
  return 0;
}
EXPORT uint32_t arc4random(void) {
  uint32_t value;
  draw((unsigned char *)&value, sizeof value);
  return value;
}
