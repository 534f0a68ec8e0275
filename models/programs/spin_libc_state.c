/* A loop whose only change is inside the C library (the state of rand): it is not taken for a wait.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *waiter(void *unused) {
  while (!atomic_load(&ready))
    if (rand() % 7 == 0) break;
  assert(atomic_load(&ready));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&ready, 1);
  pthread_join(t, 0);
  return 0;
}
