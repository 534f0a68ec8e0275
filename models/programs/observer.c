/* An observer, the paper's footnote 3: a process that only looks at the others, runs free, and is no part of the system.
 * It looks forever: under control the search would not end.
 * expect: holds
 * run: run
 */
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>
#include <weave.h>

struct shared {
  sem_t mutex;
  volatile int value;
};

int main(void) {
  struct shared *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(&shared->mutex, 1, 1);
  if (fork() == 0) {
    weave_observe();
    for (int seen = 0;; usleep(1000))
      if (shared->value != seen) seen = shared->value;
  }
  int first = fork() != 0;
  sem_wait(&shared->mutex);
  shared->value += 1;
  weave_assert(first || shared->value >= 1);
  sem_post(&shared->mutex);
  return 0;
}
