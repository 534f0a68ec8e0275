/* A timed wait on a condition variable ends by a signal or by time; it has the mutex again in both cases. No thread waits forever.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int inside;

static void enter(void) { assert(inside++ == 0); }
static void leave(void) { inside--; }

static void *waiter(void *unused) {
  struct timespec limit = {1, 0};
  pthread_mutex_lock(&mutex);
  int got = pthread_cond_timedwait(&ready, &mutex, &limit);
  assert(got == 0 || got == ETIMEDOUT);
  enter();
  leave();
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  enter();
  pthread_cond_signal(&ready);
  leave();
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  return 0;
}
