/* A thread whose time is up, and that is cancelled before it has its mutex again, may return.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits;

static void unlock(void *arg) { pthread_mutex_unlock(arg); }

static void *waiter(void *arg) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  waits = 1;
  pthread_cond_timedwait(&c, &m, &limit);
  waits = 0;
  pthread_cleanup_pop(1);
  return arg;
}

int main(void) {
  pthread_t a;
  void *r = PTHREAD_CANCELED;
  pthread_create(&a, 0, waiter, 0);
  pthread_mutex_lock(&m);
  int waiting = waits;
  pthread_cancel(a);
  pthread_mutex_unlock(&m);
  pthread_join(a, &r);
  assert(!waiting || r == PTHREAD_CANCELED);
  return 0;
}
