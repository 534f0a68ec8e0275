/* sem_clockwait of the C library takes a permit that is there without a look at whether the thread
 * is to end; sem_timedwait looks. Natively the assertion fails each time.
 * expect: violated
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static _Atomic int reached;

static void *waiter(void *arg) {
  struct timespec limit = {1, 0};
  pthread_cancel(pthread_self());
  sem_clockwait(&s, CLOCK_MONOTONIC, &limit);
  reached = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_init(&s, 0, 1);
  pthread_create(&thread, 0, waiter, 0);
  pthread_join(thread, 0);
  assert(!reached);
}
