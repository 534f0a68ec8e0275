/* A barrier for three, and only two threads come.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
