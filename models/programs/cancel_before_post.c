/* A thread that is cancelled in sem_wait may still get what is posted later, and return: POSIX
 * (2.9.5.2) leaves open which. The C library looks for the request first, then for a permit.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static _Atomic int reached;

static void *waiter(void *arg) {
  sem_wait(&s);
  reached = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_init(&s, 0, 0);
  pthread_create(&thread, 0, waiter, 0);
  pthread_cancel(thread);
  sem_post(&s);
  pthread_join(thread, 0);
  assert(!reached);
}
