/* Atomic increments: nothing is lost, in any order. Three threads, all orders of the updates: six runs.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *worker(void *unused) {
  atomic_fetch_add(&count, 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(count == 3);
  return 0;
}
