/* A process ends behind a post of its other thread: what came before that is done, what comes
 * behind it may be.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int *done;
static sem_t ready;

static void *work(void *unused) {
  done[0] = 1;
  sem_post(&ready);
  done[1] = 1;
  return unused;
}

int main(void) {
  done = mmap(0, 2 * sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(&ready, 0, 0);
  pid_t child = fork();
  if (!child) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    sem_wait(&ready);
    _exit(0);
  }
  waitpid(child, 0, 0);
  assert(done[0] == 1 && (done[1] == 0 || done[1] == 1));
}
