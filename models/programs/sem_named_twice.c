/* As sem_named.c, but each child unlinks the name before it opens it: they may have two different semaphores.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int *counter = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) {
      sem_unlink("/weave-guard");
      sem_t *guard = sem_open("/weave-guard", O_CREAT, 0600, 1);
      sem_wait(guard);
      *counter = *counter + 1;
      sem_post(guard);
      _exit(0);
    }
  wait(0);
  wait(0);
  assert(*counter == 2);
  return 0;
}
