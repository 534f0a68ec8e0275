/* As spin_flag.c, but the flag is set before the value: the waiter may see the old one.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, value;

static void *waiter(void *unused) {
  while (!atomic_load(&ready)) {}
  assert(atomic_load(&value) == 7);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&ready, 1);
  atomic_store(&value, 7);
  pthread_join(t, 0);
  return 0;
}
