/* A condition variable is waited on without looking at the condition: a signal that comes first is lost.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  return 0;
}
