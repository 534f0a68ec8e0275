/* What a call reads is read: how far a semaphore goes up.
 * expect: violated
 * reason: race
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/sem.h>

static int set;
static struct sembuf up = {0, 1, 0};

static void *other(void *unused) {
  semop(set, &up, 1);
  assert(semctl(set, 0, GETVAL) == 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  set = semget(IPC_PRIVATE, 1, 0600);
  pthread_create(&thread, 0, other, 0);
  up.sem_op = 2;
  pthread_join(thread, 0);
  return 0;
}
