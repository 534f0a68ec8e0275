/* Two increments without a lock: the race is found, its accesses become visible, and then the lost update is.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>

static int count;

static void *worker(void *unused) {
  count++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
