/* The same of a System V semaphore, whose limit is 32767: the second one gets ERANGE.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/sem.h>

static int set;

static int post(void) {
  struct sembuf up = {0, 1, 0};
  return semop(set, &up, 1);
}

static void *poster(void *arg) {
  post();
  return arg;
}

int main(void) {
  pthread_t p;
  set = semget(IPC_PRIVATE, 1, 0600);
  assert(semctl(set, 0, SETVAL, 32766) == 0);
  pthread_create(&p, 0, poster, 0);
  assert(post() == 0);
  pthread_join(p, 0);
  semctl(set, 0, IPC_RMID);
  return 0;
}
