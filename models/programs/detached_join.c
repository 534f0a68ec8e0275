/* A thread detaches itself, and main joins it: that is for threads that are not detached.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <pthread.h>

static void *worker(void *unused) {
  pthread_detach(pthread_self());
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
