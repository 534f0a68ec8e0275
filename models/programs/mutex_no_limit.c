/* The owner of an error-checking mutex gets EDEADLK, also if the limit is none.
 * expect: holds
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static const struct timespec none = {1, -1};

static void *other(void *arg) {
  assert(pthread_mutex_timedlock(&mutex, &none) == EINVAL);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, other, 0);
  assert(pthread_mutex_timedlock(&mutex, &none) == EDEADLK);
  pthread_join(thread, 0);
}
