/* A thread that waits forever is no deadlock if main ends the process.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *worker(void *unused) {
  sem_wait(&never);
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&never, 0, 0);
  pthread_create(&a, 0, worker, 0);
  return 0;
}
