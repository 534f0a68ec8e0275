/* A thread exits while the first one returns from main. Which of them ends the process is not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  return 0;
}
