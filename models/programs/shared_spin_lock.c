/* A spin lock in shared memory that was made for several processes.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct counter {
  pthread_spinlock_t lock;
  int value;
};

int main(void) {
  struct counter *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_spin_init(&shared->lock, PTHREAD_PROCESS_SHARED);
  pid_t child = fork();
  pthread_spin_lock(&shared->lock);
  shared->value++;
  pthread_spin_unlock(&shared->lock);
  if (!child) _exit(0);
  waitpid(child, 0, 0);
  assert(shared->value == 2);
  return 0;
}
