/* A thread spins until another sets a flag. The loop changes nothing: it is taken for a wait, and the search ends. -DNEVER: the flag
 * is never set (see spin_flag_never.c).
 * expect: holds
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
  atomic_store(&value, 7);
#ifndef NEVER
  atomic_store(&ready, 1);
#endif
  pthread_join(t, 0);
  return 0;
}
