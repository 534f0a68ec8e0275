/* The process may end before its thread has come to the assertion, or after.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  assert(!"the thread came so far");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  return 0;
}
