/* A semaphore that starts with 1 does not wait for the post: it is freed too early.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *semaphore;

static void *other(void *unused) {
  sem_post(semaphore);
  return unused;
}

int main(void) {
  pthread_t thread;
  semaphore = malloc(sizeof *semaphore);
  sem_init(semaphore, 0, 1);
  pthread_create(&thread, 0, other, 0);
  sem_wait(semaphore);
  free(semaphore);
  pthread_join(thread, 0);
  return 0;
}
