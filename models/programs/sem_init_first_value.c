/* A semaphore is initialised again while another thread may wait for it: that finds the first value, or the second.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int steps, taken;

static void *again(void *unused) {
  sem_init(&semaphore, 0, 0);
  assert(!taken);
  sem_post(&semaphore);
  return unused;
}
static void *waiter(void *unused) {
  steps++;
  sem_wait(&semaphore);
  taken = 1;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&semaphore, 0, 1);
  pthread_create(&threads[0], 0, again, 0);
  pthread_create(&threads[1], 0, waiter, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
