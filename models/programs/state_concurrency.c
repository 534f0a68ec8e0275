/* How many threads should run is set in one thread and asked for in another.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static void *other(void *unused) {
  pthread_setconcurrency(3);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  assert(pthread_getconcurrency() != 3);
  pthread_join(thread, 0);
  return 0;
}
