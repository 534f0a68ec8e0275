/* abort() in one of the interleavings is a crash with SIGABRT.
 * expect: violated
 * reason: crash
 * run: run
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t token;

static void *worker(void *unused) {
  if (sem_trywait(&token)) abort();
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&token, 0, 1);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
