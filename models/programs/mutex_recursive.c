/* A recursive mutex may be locked again by its owner, and must be unlocked as often.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int sum;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  sum++;
  pthread_mutex_unlock(&mutex);
  sum++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &kind);
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum == 4);
  return 0;
}
