/* A thread that waits on a condition variable is cancelled; its cleanup handler gives the mutex back.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
