/* A thread that is cancelled while it waits could have had the semaphore, if main had not taken it
 * before.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *waiter(void *arg) {
  sem_wait(&s);
  return arg;
}

int main(void) {
  pthread_t b;
  sem_init(&s, 0, 1);
  pthread_create(&b, 0, waiter, 0);
  int got = sem_trywait(&s) == 0;
  pthread_cancel(b);
  pthread_join(b, 0);
  assert(got);
  return 0;
}
