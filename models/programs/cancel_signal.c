/* A thread that is cancelled while it waits leaves the signal to others who wait (POSIX).
 * expect: unknown
 * run: run
 */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int in;

static void unlock(void *arg) { pthread_mutex_unlock(arg); }

static void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  in++;
  pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  void *r;
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, waiter, 0);
  for (int k = 0; k != 2; sched_yield()) {
    pthread_mutex_lock(&m);
    k = in;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_cancel(a);
  pthread_join(a, &r);
  if (r != PTHREAD_CANCELED) {
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  pthread_join(b, 0);
  return 0;
}
