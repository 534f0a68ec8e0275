/* A ticket lock: each thread draws a number and spins until it is served. -DSAME: two read the counter and then write it, and may draw the
 * same number (spin_ticket_same.c).
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, served, inside;

static void *worker(void *unused) {
#ifdef SAME
  int mine = atomic_load(&next);
  atomic_store(&next, mine + 1);
#else
  int mine = atomic_fetch_add(&next, 1);
#endif
  while (atomic_load(&served) != mine) {}
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_fetch_add(&served, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
