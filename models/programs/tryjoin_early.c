/* The thread has done its work, but may not have ended.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static void *works(void *unused) {
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t one;
  sem_init(&done, 0, 0);
  pthread_create(&one, 0, works, 0);
  sem_wait(&done);
  assert(pthread_tryjoin_np(one, 0) == 0);
  return 0;
}
