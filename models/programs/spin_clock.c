/* A loop that waits until a flag is set or some time has passed: its clock moves with every look, so it is no wait, and ends by itself.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;

static void *waiter(void *unused) {
  struct timespec begun, now;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while (!atomic_load(&ready) && now.tv_nsec - begun.tv_nsec < 5000);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&ready, 1);
  pthread_join(t, 0);
  return 0;
}
