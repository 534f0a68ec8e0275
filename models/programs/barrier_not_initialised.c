/* A thread may come to a barrier before that is initialised.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_barrier_init(&barrier, 0, 1);
  pthread_join(thread, 0);
  return 0;
}
