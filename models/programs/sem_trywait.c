/* One token, two threads that only try: at most one of them has it at a time, none waits.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t token;
static atomic_int inside;

static void *worker(void *unused) {
  if (sem_trywait(&token) == 0) {
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    sem_post(&token);
  } else {
    assert(errno == EAGAIN);
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
  sem_destroy(&token);
  return 0;
}
