/* A semaphore is initialised again while another thread posts: in some runs the post is lost.
 * expect: violated
 * reason: deadlock
 * run: run --races list
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *worker(void *unused) {
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, worker, 0);
  sem_init(&semaphore, 0, 0);
  sem_wait(&semaphore);
  pthread_join(thread, 0);
  return 0;
}
