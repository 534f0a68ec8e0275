/* A semaphore on the stack, and a wait that gives up: the post may come when the function is over.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static void *post(void *semaphore) {
  sem_post(semaphore);
  return 0;
}
static __attribute__((noinline)) pthread_t begin(void) {
  sem_t semaphore;
  pthread_t thread;
  struct timespec limit = {1, 0};
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, post, &semaphore);
  sem_timedwait(&semaphore, &limit);
  return thread;
}

int main(void) {
  pthread_join(begin(), 0);
  return 0;
}
