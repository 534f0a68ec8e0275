/* A loop that waits for a variable which no thread will change, in one of the interleavings: divergence.
 * expect: violated
 * reason: divergence
 * run: run --divergence 300ms
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t token;

static void *worker(void *unused) {
  volatile int never = 0;
  if (sem_trywait(&token))
    while (!never) {
    }
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
