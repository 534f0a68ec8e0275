/* What has timed out finds the clock at its limit or behind it; so does what an alarm interrupts.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static double start;
static void handle(int unused) {
  (void)unused;
  assert(now() >= start + 3);
}

int main(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  int ends[2];
  pipe(ends);
  start = now();
  struct pollfd one = {ends[0], POLLIN, 0};
  if (poll(&one, 1, 1000) == 0) assert(now() >= start + 1);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 2;
  start = now();
  pthread_mutex_lock(&mutex);
  if (pthread_cond_timedwait(&condition, &mutex, &limit) == ETIMEDOUT) assert(now() >= start + 1.9);
  pthread_mutex_unlock(&mutex);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  struct timeval while_ = {1, 0};
  start = now();
  if (select(ends[0] + 1, &set, 0, 0, &while_) == 0) assert(now() >= start + 1);
  start = now();
  signal(SIGALRM, handle);
  alarm(3);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  alarm(0);
  return 0;
}
