/* A thread that ends gives back one robust lock after the other.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t one, two;
static pthread_barrier_t both;

static void *holder(void *unused) {
  pthread_mutex_lock(&one);
  pthread_mutex_lock(&two);
  pthread_barrier_wait(&both);
  return unused;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_t thread;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&one, &kind);
  pthread_mutex_init(&two, &kind);
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&thread, 0, holder, 0);
  pthread_barrier_wait(&both);
  assert(pthread_mutex_lock(&one) == EOWNERDEAD);
  assert(pthread_mutex_trylock(&two) == EOWNERDEAD);
  pthread_join(thread, 0);
  return 0;
}
