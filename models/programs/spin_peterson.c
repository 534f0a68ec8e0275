/* Peterson's algorithm with its loop. -DWRONG: the turn is set before the wish (spin_peterson_wrong.c).
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *worker(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
#ifdef WRONG
  atomic_store(&turn, other);
  atomic_store(&wants[me], 1);
#else
  atomic_store(&wants[me], 1);
  atomic_store(&turn, other);
#endif
  while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {}
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store(&wants[me], 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
