/* A child waits until its parent has ended, and then does what no other thread does beside it.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  int *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t parent = getpid();
  if (fork()) {
    *shared = 1;
    return 0;
  }
  while (getppid() == parent) usleep(1000);
  assert(*shared == 1);
}
