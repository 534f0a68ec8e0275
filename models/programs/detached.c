/* A detached thread may still run when main returns, and then its work is not done: the exit ends it at any point.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

static void *worker(void *unused) {
  atomic_store(&done, 1);
  return unused;
}
static void at_end(void) { assert(atomic_load(&done)); }

int main(void) {
  pthread_t a;
  atexit(at_end);
  pthread_create(&a, 0, worker, 0);
  pthread_detach(a);
  return 0;
}
