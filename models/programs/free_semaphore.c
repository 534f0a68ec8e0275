/* Main frees a semaphore without waiting for the other thread's post: the value was 1. Who posts to it then uses memory that was freed; what POSIX
 * allows is to destroy a semaphore behind a wait that a post has let go on, which is free_semaphore_awaited.c.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *semaphore;
static void *post(void *unused) {
  sem_post(semaphore);
  return unused;
}

int main(void) {
  pthread_t thread;
  semaphore = malloc(sizeof *semaphore);
  sem_init(semaphore, 0, 1);
  pthread_create(&thread, 0, post, 0);
  sem_wait(semaphore);
  free(semaphore);
  pthread_join(thread, 0);
  return 0;
}
