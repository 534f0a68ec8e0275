/* A loop that sleeps between two looks is a wait too: sleeping orders nothing.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready, seen;

static void *waiter(void *unused) {
  while (!atomic_load(&ready)) usleep(100);
  atomic_store(&seen, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&ready, 1);
  while (!atomic_load(&seen)) sched_yield();
  pthread_join(t, 0);
  return 0;
}
