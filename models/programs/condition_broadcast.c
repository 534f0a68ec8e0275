/* Three waiters and one broadcast, with the condition looked at in a loop. -DSIGNAL: a signal wakes one only, the others wait.
 * expect: holds
 * run: run
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open;

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!open) pthread_cond_wait(&opened, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  open = 1;
#ifdef SIGNAL
  pthread_cond_signal(&opened);
#else
  pthread_cond_broadcast(&opened);
#endif
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
