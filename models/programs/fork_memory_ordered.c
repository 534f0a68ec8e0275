/* A semaphore orders the write before the fork: the child always has it.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

static int written, later;
static sem_t ready, forked;

static void *worker(void *unused) {
  written = 1;
  sem_post(&ready);
  sem_wait(&forked);
  later = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  sem_init(&forked, 0, 0);
  pthread_create(&thread, 0, worker, 0);
  sem_wait(&ready);
  if (fork() == 0) {
    assert(written == 1 && later == 0);
    _exit(0);
  }
  sem_post(&forked);
  wait(0);
  pthread_join(thread, 0);
  return 0;
}
