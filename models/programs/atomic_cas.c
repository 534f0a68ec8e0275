/* A lock-free maximum by compare and exchange: after both, the larger value is there.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int largest;

static void *worker(void *argument) {
  int mine = (int)(long)argument, seen = atomic_load(&largest);
  while (mine > seen && !atomic_compare_exchange_strong(&largest, &seen, mine)) {
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)3);
  pthread_create(&b, 0, worker, (void *)5);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(largest == 5);
  return 0;
}
