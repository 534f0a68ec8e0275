/* A semaphore in shared memory that is private to one process, used by two.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  sem_t *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(shared, 0, 1);
  pid_t child = fork();
  sem_wait(shared);
  sem_post(shared);
  if (!child) _exit(0);
  waitpid(child, 0, 0);
}
