/* A mutex is initialised again as one of another kind while others use it. That is not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run --races list
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static atomic_int steps;

static void *again(void *unused) {
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &how);
  return unused;
}
static void *user(void *unused) {
  steps++;
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutex_init(&mutex, 0);
  pthread_create(&threads[0], 0, again, 0);
  pthread_create(&threads[1], 0, user, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
