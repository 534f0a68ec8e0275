/* A thread that is asked to end joins one that has ended: the C library looks for the request only
 * where it waits, and returns. Natively the assertion fails each time if the other thread is quick.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_t quick;
static _Atomic int reached;

static void *nothing(void *arg) { return arg; }

static void *joins(void *arg) {
  pthread_cancel(pthread_self());
  pthread_join(quick, 0);
  reached = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&quick, 0, nothing, 0);
  pthread_create(&thread, 0, joins, 0);
  pthread_join(thread, 0);
  assert(!reached);
}
