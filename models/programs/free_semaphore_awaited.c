/* A wait comes behind the post that lets it go on, and so does the end of the semaphore. That the C library may still be at work in the post is its
 * own business: POSIX forbids to destroy a semaphore on which threads are blocked, and no other.
 * expect: holds
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
  sem_init(semaphore, 0, 0);
  pthread_create(&thread, 0, post, 0);
  sem_wait(semaphore);
  sem_destroy(semaphore);
  free(semaphore);
  pthread_join(thread, 0);
  return 0;
}
