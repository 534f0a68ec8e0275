/* A process that unmaps shared memory takes away only what it sees of it itself.
 * expect: holds
 * run: run
 */
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  sem_t *semaphore = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(semaphore, 1, 0);
  if (fork() == 0) {
    sem_post(semaphore);
    munmap(semaphore, 4096);
    _exit(0);
  }
  sem_post(semaphore);
  sem_wait(semaphore);
  sem_wait(semaphore);
  wait(0);
  return 0;
}
