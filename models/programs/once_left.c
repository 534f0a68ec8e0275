/* A thread that ends inside the routine of pthread_once has not done it: the next one who comes does it again.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int begun, done;

static void initialise(void) {
  pthread_mutex_lock(&mutex);
  int first = ++begun == 1;
  pthread_mutex_unlock(&mutex);
  if (first) pthread_exit(0);
  done++;
}
static void *worker(void *unused) {
  pthread_once(&control, initialise);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(begun == 2 && done == 1);
  return 0;
}
