/* A thread that is asked to end before it waits for a condition lets go of the mutex, and takes it
 * again before its handlers run: so does the C library (natively 13 of 200 runs fail, if there is
 * some work before the wait).
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int x;

static void clean(void *unused) {
  (void)unused;
  assert(x == 1);
  pthread_mutex_unlock(&mutex);
}

static void *waiter(void *arg) {
  pthread_cancel(pthread_self());
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_cleanup_push(clean, 0);
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(0);
  return arg;
}

static void *other(void *arg) {
  pthread_mutex_lock(&mutex);
  x = 2;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, waiter, 0);
  pthread_create(&threads[1], 0, other, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
