/* An error-checking mutex answers EDEADLK to its owner and EPERM to a stranger, and nothing is wrong with asking.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *stranger(void *unused) {
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  return unused;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &kind);
  pthread_t a;
  pthread_create(&a, 0, stranger, 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  assert(pthread_mutex_unlock(&mutex) == 0);
  pthread_join(a, 0);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
