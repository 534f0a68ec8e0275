/* Executes little programs of threads that cancel each other, given as words, one for each thread:
 * the real side of cancelled.rs.
 *
 * A statement is a letter, a digit (of C and c two), and `?` if the next statement is left out when
 * it gives 0, as timed ones do whose time is up. Locks are let go by who holds them only, and waits
 * on condition variables are for those who hold the mutex. A handler gives back what a thread holds
 * that ends, and counts a variable before if the thread has said H. J and j join a helper, which
 * ends when F was said. At the end the values that each thread got are reported by a failing
 * assertion; X stands for the end of one that was cancelled. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4 };

struct thread {
  const char *words;
  int number, held[2], locked, counts, said, ended;
  char got[64];
};

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore[2], start[MOST], over[MOST], gate;
static atomic_int variable[2];
static int ends[2];
static pthread_t ids[MOST], helper;

static int lets_go(struct thread *t) {
  t->locked = 0;
  return pthread_rwlock_unlock(&lock), 1;
}

/* Within how many milliseconds the pipe has a byte. */
static int polls(int within) {
  struct pollfd one = {ends[0], POLLIN, 0};
  return poll(&one, 1, within) == 1;
}

/* Statements with a limit, which is over: 1 if it was not needed. */
static int in_time(struct thread *t, char what, int x, int y) {
  const struct timespec limit = {1, 0};
  switch (what) {
  case 'w': return sem_timedwait(&semaphore[x], &limit) == 0;
  case 'k': return sem_clockwait(&semaphore[x], CLOCK_MONOTONIC, &limit) == 0;
  case 'c': return !t->held[y] ? -1 : pthread_cond_timedwait(&condition[x], &mutex[y], &limit) == 0;
  case 'l': return t->held[x] ? -1 : (t->held[x] = pthread_mutex_timedlock(&mutex[x], &limit) == 0);
  case 'x': return t->locked ? -1 : (t->locked = pthread_rwlock_timedwrlock(&lock, &limit) == 0);
  case 'j': return pthread_timedjoin_np(helper, 0, &limit) == 0;
  case 'y': return polls(5);
  default: abort();
  }
}

/* The value that the statement gives; -1: it was left out. */
static int execute(struct thread *t, char what, int x, int y) {
  char byte = 1;
  int ignored;
  switch (what) {
  case 'L': return t->held[x] ? -1 : (pthread_mutex_lock(&mutex[x]), t->held[x] = 1);
  case 'U': return !t->held[x] ? -1 : (t->held[x] = 0, pthread_mutex_unlock(&mutex[x]), 1);
  case 'C': return !t->held[y] ? -1 : (pthread_cond_wait(&condition[x], &mutex[y]), 1);
  case 'N': return pthread_cond_signal(&condition[x]), 1;
  case 'B': return pthread_cond_broadcast(&condition[x]), 1;
  case 'W': return sem_wait(&semaphore[x]), 1;
  case 'V': return sem_trywait(&semaphore[x]) == 0;
  case 'P': return sem_post(&semaphore[x]), 1;
  case 'R': return atomic_load(&variable[x]) % 2;
  case 'S': return atomic_fetch_add(&variable[x], 1), 1;
  case 'I': return write(ends[1], &byte, 1), 1;
  case 'O': return read(ends[0], &byte, 1), 1;
  case 'T': return pthread_testcancel(), 1;
  case 'D': return pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &ignored), 1;
  case 'E': return pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &ignored), 1;
  case 'K': return pthread_cancel(ids[x]), 1;
  case 'H': return t->counts = 1;
  case 'F': return sem_post(&gate), 1;
  case 'J': return pthread_join(helper, 0) == 0;
  case 'b': return pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  case 'r': return t->locked ? -1 : (t->locked = pthread_rwlock_rdlock(&lock) == 0);
  case 'q': return t->locked ? -1 : (t->locked = pthread_rwlock_wrlock(&lock) == 0);
  case 'u': return !t->locked ? -1 : lets_go(t);
  case 'z': return nanosleep(&(struct timespec){0, 1}, 0) == 0;
  case 'p': return polls(-1);
  case 'e': return polls(0);
  default: return in_time(t, what, x, y);
  }
}

static void finish(void *given) {
  struct thread *t = given;
  if (!t->ended) t->got[t->said++] = 'X';
  if (t->counts) atomic_fetch_add(&variable[0], 1);
  for (int i = 0; i < 2; i++)
    if (t->held[i]) pthread_mutex_unlock(&mutex[i]);
  if (t->locked) lets_go(t);
  sem_post(&over[t->number]);
}

static void words(struct thread *t) {
  const char *at = t->words;
  for (int skip = 0; *at; at++) {
    char what = *at++;
    int x = *at - '0', y = 0;
    if (at[1] == '0' || at[1] == '1') y = *++at - '0';
    int asks = at[1] == '?';
    if (asks) at++;
    if (skip) {
      skip = 0;
      continue;
    }
    int value = execute(t, what, x, y);
    if (value < 0) continue;
    t->got[t->said++] = (char)('0' + value);
    skip = asks && value == 0;
  }
}

static void *run(void *given) {
  int state;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_cleanup_push(finish, given);
  sem_wait(&start[((struct thread *)given)->number]);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
  words(given);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  ((struct thread *)given)->ended = 1;
  pthread_cleanup_pop(1);
  return 0;
}

static void *help(void *unused) { return sem_wait(&gate), unused; }

/* The values of the two semaphores; then the words of each. */
int main(int argc, char **argv) {
  static struct thread threads[MOST];
  int n = argc - 2, joins = 0;
  sem_init(&gate, 0, 0);
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < n; i++) joins |= strpbrk(argv[2 + i], "Jj") != 0;
  if (joins) pthread_create(&helper, 0, help, 0);
  for (int i = 0; i < 2; i++) sem_init(&semaphore[i], 0, (unsigned)(argv[1][i] - '0'));
  for (int i = 0; i < n; i++) sem_init(&start[i], 0, 0), sem_init(&over[i], 0, 0);
  if (pipe(ends)) abort();
  for (int i = 0; i < n; i++) {
    threads[i] = (struct thread){.words = argv[2 + i], .number = i};
    pthread_create(&ids[i], 0, run, &threads[i]);
  }
  for (int i = 0; i < n; i++) sem_post(&start[i]);
  for (int i = 0; i < n; i++) sem_wait(&over[i]);
  char all[MOST * 64] = "";
  for (int i = 0; i < n; i++) {
    pthread_join(ids[i], 0);
    strcat(strcat(all, i ? "," : ""), threads[i].got);
  }
  extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
  __assert_fail(all, "", 0, "");
}
