/* A timed lock may time out at any point, whatever the limit: -DTRUST claims that an hour is enough.
 * expect: violated
 * reason: assertion
 * run: run -D TRUST
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 3600;
  int got = pthread_mutex_timedlock(&mutex, &limit);
  assert(got == 0 || got == ETIMEDOUT);
#ifdef TRUST
  assert(got == 0);
#endif
  if (got == 0) pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  return 0;
}
