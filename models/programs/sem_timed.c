/* Waiting for a token that never comes, with a limit: it times out, and that is not a deadlock.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t token;

static void *worker(void *unused) {
  struct timespec limit = {1, 0};
  assert(sem_timedwait(&token, &limit) == -1 && errno == ETIMEDOUT);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&token, 0, 0);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
