/* Who waits for one child knows nothing of the other, whichever ended first.
 * expect: violated
 * reason: race
 * run: run
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t first = fork();
  if (!first) {
    *shared = 1;
    _exit(0);
  }
  pid_t second = fork();
  if (!second) _exit(0);
  waitpid(second, 0, 0);
  int seen = *shared;
  waitpid(first, 0, 0);
  return seen & 2;
}
