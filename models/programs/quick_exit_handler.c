/* Handlers of quick_exit run, the last one first, and those of exit do not.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int busy;
static int order;

static void never(void) { abort(); }
static void first(void) { assert(order == 1 && !busy); }
static void last(void) { order++; }

static void *worker(void *unused) {
  busy = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(never);
  at_quick_exit(first);
  at_quick_exit(last);
  pthread_create(&thread, 0, worker, 0);
  quick_exit(0);
}
