/* A process is killed while it may hold the semaphore: then no process gets it any more.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  sem_t *guard = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(guard, 1, 1);
  pid_t child = fork();
  if (child == 0) {
    sem_wait(guard);
    sem_post(guard);
    _exit(0);
  }
  kill(child, SIGKILL);
  sem_wait(guard);
  sem_post(guard);
  return 0;
}
