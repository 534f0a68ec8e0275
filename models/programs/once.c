/* The first thread initialises, the others wait for it: done once, and seen by all.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int times;

static void initialise(void) {
  pthread_mutex_lock(&mutex);
  times++;
  pthread_mutex_unlock(&mutex);
}
static void *worker(void *unused) {
  pthread_once(&control, initialise);
  assert(times == 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
