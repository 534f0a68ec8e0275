/* A constructor starts a thread that takes two locks in the other order than main.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;

static void *worker(void *unused) {
  pthread_mutex_lock(&two);
  pthread_mutex_lock(&one);
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&two);
  return unused;
}

__attribute__((constructor)) static void early(void) { pthread_create(&thread, 0, worker, 0); }

int main(void) {
  pthread_mutex_lock(&one);
  pthread_mutex_lock(&two);
  pthread_mutex_unlock(&two);
  pthread_mutex_unlock(&one);
  pthread_join(thread, 0);
  return 0;
}
