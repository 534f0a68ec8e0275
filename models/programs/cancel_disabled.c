/* A thread that does not want to be cancelled finishes what it does, and ends at the next point where it may.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done, never;
static int steps;

static void *run(void *unused) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  steps = 1;
  sem_wait(&done);
  steps = 2;
  pthread_setcancelstate(old, 0);
  sem_wait(&never);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&done, 0, 0);
  sem_init(&never, 0, 0);
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  sem_post(&done);
  pthread_join(thread, 0);
  assert(steps == 2);
  return 0;
}
