/* What every program has: its tasks (threads, or processes with PROCESSES), what their calls
   returned, and the outcome. With NATIVE it runs without control, with random delays. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern void __assert_fail(const char *, const char *, unsigned, const char *);

enum { CALLS = 8, ENDED = CALLS, JOINED, ALL };

struct shared {
  int of[TASKS][ALL];
  sem_t begin[TASKS], over;
  pthread_t thread[TASKS];
  pid_t process[TASKS];
  int taken[TASKS]; /* joined by another task */
  pthread_mutex_t checked, recursive, robust, plain;
  pthread_rwlock_t rwlock;
  sem_t counter;
  pthread_cond_t condition;
  int flag;
  pthread_barrier_t barrier;
  pthread_spinlock_t spin;
  atomic_int number, handled, destroyed, ran, word, other_word, trail;
};

#ifdef SHARED
static struct shared *S;
#else
static struct shared here;
#define S (&here)
#endif

static int sets = -1, queues = -1; /* System V: what is to be removed */

static void give_back(void) {
  if (sets >= 0) semctl(sets, 0, IPC_RMID);
  if (queues >= 0) msgctl(queues, IPC_RMID, 0);
}

#ifdef NATIVE
static unsigned seed;
static atomic_uint drawn;

static void stopped(int number) {
  give_back();
  _exit(128 + number);
}

static long since(const struct timespec *begin) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - begin->tv_sec) * 1000000000L + now.tv_nsec - begin->tv_nsec;
}

static void delay(void) {
  static __thread unsigned state;
  if (!state) state = seed * 7919 + atomic_fetch_add(&drawn, 1) * 104729 + getpid() * 31 + 1;
  state = state * 1103515245 + 12345;
  unsigned choice = (state >> 16) % 6;
  if (choice == 3) sched_yield();
  if (choice < 4) return;
  struct timespec begin;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  long wait = (long)((state >> 8) % ((choice - 2) * 150000));
  while (since(&begin) < wait) continue;
}
#else
static void delay(void) {}
#endif

#define STEP(k, e)               \
  do {                           \
    delay();                     \
    S->of[ME][k] = (int)(e);     \
  } while (0)

/* 0, or the error that a call set. */
#define E(e) ((e) < 0 ? errno : 0)
/* What a call returned, or its error as a negative number. */
#define V(e) ({ long value_ = (e); value_ < 0 ? -errno : (int)value_; })

enum { SOON = 100000 };

/* Where files are: under control each run has a folder for temporary files of its own. */
#ifdef NATIVE
#define F(name) name
#else
#define F(name) "/tmp/" name
#endif

static struct timespec *at(clockid_t clock, long later) {
  static __thread struct timespec when;
  clock_gettime(clock, &when);
  when.tv_nsec += later;
  when.tv_sec += when.tv_nsec / 1000000000;
  when.tv_nsec %= 1000000000;
  return &when;
}

static struct timespec *soon(void) { return at(CLOCK_REALTIME, SOON); }

static void prepare(void) {
#ifdef NATIVE
  seed = (unsigned)atoi(getenv("SEED"));
  signal(SIGHUP, stopped);
#endif
#ifdef SHARED
  S = mmap(0, sizeof *S, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#endif
  memset(S->of, 0xff, sizeof S->of);
  for (int i = 0; i < TASKS; i++) sem_init(&S->begin[i], 1, 0);
  sem_init(&S->over, 1, 0);
}

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) < 0) continue;
}

/* A task is at its end, also if it was cancelled. */
static void ended(void *task) {
  S->of[(long)task][ENDED] = 7;
  if (GATED) sem_post(&S->over);
}

/* The tasks may begin; with GATED, and their handles be given back. */
static void let_begin(void) {
  for (int i = 0; i < TASKS && NAMED; i++) sem_post(&S->begin[i]);
  for (int i = 0; i < TASKS && GATED; i++) wait_for(&S->over);
}

static void join_thread(int task) {
  void *value = 0;
  if (S->taken[task]) return;
  int error = pthread_join(S->thread[task], &value);
  S->of[task][JOINED] = error ? 100 + error : value == PTHREAD_CANCELED ? 99 : (int)(long)value;
}

static void await_process(int task) {
  int status = 0;
  while (waitpid(S->process[task], &status, 0) < 0 && errno == EINTR) continue;
  S->of[task][JOINED] = status;
}

static void tell(void) {
  char text[800];
  int n = 0;
  for (int i = 0; i < TASKS; i++) {
    for (int k = 0; k < ALL; k++) {
      int value = S->of[i][k];
      if (value == -1) continue;
      n += snprintf(text + n, sizeof text - n, "%d:%d ", k, value);
    }
    n += snprintf(text + n, sizeof text - n, "| ");
  }
  snprintf(text + n, sizeof text - n, "n%d h%d d%d r%d t%d", S->number, S->handled, S->destroyed,
           S->ran, S->trail);
  give_back();
#ifdef NATIVE
  puts(text);
#else
  __assert_fail(text, "outcome", 1, "main");
#endif
}
