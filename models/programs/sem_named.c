/* A named semaphore guards a counter in shared memory.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int fd = shm_open("/weave-counter", O_CREAT | O_RDWR, 0600);
  ftruncate(fd, 4096);
  int *counter = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) {
      sem_t *guard = sem_open("/weave-guard", O_CREAT, 0600, 1);
      sem_wait(guard);
      *counter = *counter + 1;
      sem_post(guard);
      _exit(0);
    }
  wait(0);
  wait(0);
  assert(*counter == 2);
  sem_unlink("/weave-guard");
  return 0;
}
