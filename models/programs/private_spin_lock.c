/* A spin lock in shared memory that was made for one process.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pthread_spinlock_t *lock = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
  pid_t child = fork();
  pthread_spin_lock(lock);
  pthread_spin_unlock(lock);
  if (!child) _exit(0);
  waitpid(child, 0, 0);
  return 0;
}
