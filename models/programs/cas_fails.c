/* A comparison that never finds what it expects writes nothing: beside a plain read that is no race.
 * expect: holds
 * run: run
 */
#include <pthread.h>

static int shared = 1;

static void *worker(void *unused) {
  int expected = 0;
  __atomic_compare_exchange_n(&shared, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  int before = shared;
  pthread_join(thread, 0);
  return before & 4;
}
