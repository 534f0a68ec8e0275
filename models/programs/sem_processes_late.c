/* A semaphore in shared memory orders parent and child, but the parent posts before it writes: a race across processes.
 * expect: violated
 * reason: assertion
 * run: run --races list -D LATE
 */
#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  sem_t ready;
  int value;
};

int main(void) {
  struct shared *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(&shared->ready, 1, 0);
  pid_t child = fork();
  if (child == 0) {
    sem_wait(&shared->ready);
    assert(shared->value == 7);
    exit(0);
  }
#ifdef LATE
  sem_post(&shared->ready);
  shared->value = 7;
#else
  shared->value = 7;
  sem_post(&shared->ready);
#endif
  waitpid(child, 0, 0);
  return 0;
}
