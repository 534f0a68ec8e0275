/* A thread is cancelled while it joins another, or just before, or comes too late: the other is still there to be joined.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t worker, joiner;
static sem_t go;
static int joined;

static void *works(void *unused) {
  sem_wait(&go);
  return unused;
}
static void *joins(void *unused) {
  pthread_join(worker, 0);
  joined = 1;
  return unused;
}

int main(void) {
  void *result;
  sem_init(&go, 0, 0);
  pthread_create(&worker, 0, works, 0);
  pthread_create(&joiner, 0, joins, 0);
  pthread_cancel(joiner);
  sem_post(&go);
  pthread_join(joiner, &result);
  if (!joined) pthread_join(worker, 0);
  assert(joined == (result != PTHREAD_CANCELED));
  return 0;
}
