/* A mutex in shared memory that is private to one process, used by two.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pthread_mutex_t *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutex_init(shared, 0);
  pid_t child = fork();
  pthread_mutex_lock(shared);
  pthread_mutex_unlock(shared);
  if (!child) _exit(0);
  waitpid(child, 0, 0);
}
