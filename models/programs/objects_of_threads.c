/* Threads make objects for themselves, use, destroy and make them again; one is handed over when it is ready.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t ready;
static pthread_mutex_t *shared;
static int value;

static void *worker(void *unused) {
  sem_t own;
  for (unsigned i = 1; i <= 2; i++) {
    sem_init(&own, 0, i);
    for (unsigned j = 0; j < i; j++) sem_wait(&own);
    sem_destroy(&own);
  }
  sem_wait(&ready);
  pthread_mutex_lock(shared);
  value++;
  pthread_mutex_unlock(shared);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, 0, worker, 0);
  shared = malloc(sizeof *shared);
  pthread_mutex_init(shared, 0);
  sem_post(&ready);
  pthread_mutex_lock(shared);
  value++;
  pthread_mutex_unlock(shared);
  pthread_join(thread, 0);
  assert(value == 2);
  pthread_mutex_destroy(shared);
  free(shared);
  return 0;
}
