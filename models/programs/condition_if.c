/* A wait on a condition variable in an `if` instead of a `while`: wrong as soon as a wait ends by itself, which POSIX allows.
 * expect: violated
 * reason: assertion
 * run: run --spurious-wakeups
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused) {
  pthread_mutex_lock(&m);
#ifdef FIX
  while (!ready) pthread_cond_wait(&c, &m);
#else
  if (!ready) pthread_cond_wait(&c, &m);
#endif
  assert(ready);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
