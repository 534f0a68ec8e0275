/* clock_gettime writes its result where another thread reads.
 * expect: violated
 * run: run
 * reason: race
 */
#include <pthread.h>
#include <time.h>

static struct timespec when;

static void *looks(void *unused) {
  clock_gettime(CLOCK_MONOTONIC, &when);
  return unused;
}

int main(void) {
  pthread_t other;
  volatile long seen;
  pthread_create(&other, 0, looks, 0);
  seen = when.tv_nsec;
  pthread_join(other, 0);
  return seen == -7;
}
