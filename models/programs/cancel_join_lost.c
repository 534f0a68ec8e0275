/* A thread that is cancelled while it joins does not do what it was to do behind that.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_t worker, joiner;
static int told;

static void *works(void *unused) { return unused; }
static void *joins(void *unused) {
  pthread_join(worker, 0);
  told = 1;
  return unused;
}

int main(void) {
  pthread_create(&worker, 0, works, 0);
  pthread_create(&joiner, 0, joins, 0);
  pthread_cancel(joiner);
  pthread_join(joiner, 0);
  assert(told);
  return 0;
}
