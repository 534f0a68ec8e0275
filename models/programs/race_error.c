/* Two increments without a lock; the race itself is the violation.
 * expect: violated
 * reason: race
 * run: run
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

  return 0;
}
