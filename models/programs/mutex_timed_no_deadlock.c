/* Two threads take two locks in opposite order, but the second by a timed lock: no deadlock, one times out.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  struct timespec limit = {1, 0};
  pthread_mutex_lock(first);
  if (pthread_mutex_timedlock(second, &limit) == 0) pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *one(void *unused) {
  both(&a, &b);
  return unused;
}
static void *two(void *unused) {
  both(&b, &a);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
