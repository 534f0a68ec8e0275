/* Arguments that are refused, as the C library and the kernel refuse them.
 * expect: holds
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, error) assert((call) == -1 && errno == (error))
#define NO_CLOCK 77

static const struct timespec past, odd = {0, -5};

static void limits(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t list = PTHREAD_RWLOCK_INITIALIZER;
  sem_t places;
  sem_init(&places, 0, 1);
  assert(pthread_mutex_clocklock(&lock, NO_CLOCK, &past) == EINVAL);
  pthread_mutex_lock(&lock);
  assert(pthread_cond_clockwait(&changed, &lock, NO_CLOCK, &past) == EINVAL);
  assert(pthread_rwlock_clockrdlock(&list, NO_CLOCK, &past) == EINVAL);
  assert(pthread_rwlock_clockwrlock(&list, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
  FAILS(sem_clockwait(&places, NO_CLOCK, &past), EINVAL);
  assert(thrd_sleep(&odd, 0) == -2);
}
static void selections(void) {
  struct timeval none = {0, -1}, less = {-1, 0}, little = {0, 5};
  FAILS(select(0, 0, 0, 0, &none), EINVAL);
  FAILS(select(0, 0, 0, 0, &less), EINVAL);
  FAILS(pselect(0, 0, 0, 0, &odd, 0), EINVAL);
  assert(select(0, 0, 0, 0, &little) == 0 && little.tv_usec == 0);
}
static void timers(void) {
  timer_t made;
  struct sigevent none = {.sigev_notify = SIGEV_NONE}, signal = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 99};
  FAILS(timer_create(NO_CLOCK, &none, &made), EINVAL);
  FAILS(timer_create(CLOCK_MONOTONIC, &signal, &made), EINVAL);
  assert(timer_create(CLOCK_MONOTONIC, &none, &made) == 0);
}
static void futexes(void) {
  static int words[2];
  enum { WAIT = 0, WAKE = 1, PRIVATE = 128 };
  FAILS(syscall(SYS_futex, (char *)words + 1, WAIT, 0, 0, 0, 0), EINVAL);
  FAILS(syscall(SYS_futex, (char *)words + 1, WAKE, 1, 0, 0, 0), EINVAL);
  FAILS(syscall(SYS_futex, 0, WAIT, 0, 0, 0, 0), EFAULT);
  FAILS(syscall(SYS_futex, 0, WAKE, 1, 0, 0, 0), EFAULT);
  assert(syscall(SYS_futex, 0, WAKE | PRIVATE, 1, 0, 0, 0) == 0);
  FAILS(syscall(SYS_futex, words, WAIT, 0, &odd, 0, 0), EINVAL);
}
static void names(void) {
  assert(sem_open("", 0) == SEM_FAILED && errno == EINVAL);
  assert(sem_open("/", 0) == SEM_FAILED && errno == EINVAL);
  assert(sem_open("/a/b", 0) == SEM_FAILED && errno == EINVAL);
  FAILS(flock(0, LOCK_SH | LOCK_EX), EINVAL);
}

int main(void) {
  limits();
  selections();
  timers();
  futexes();
  names();
  return 0;
}
