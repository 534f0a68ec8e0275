/* A process that is killed may have done one of two plain assignments and not the other.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int *shared = mmap(0, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (!child) {
    shared[0] = 1;
    shared[1] = 1;
    _exit(0);
  }
  kill(child, SIGKILL);
  waitpid(child, 0, 0);
  assert(shared[0] == shared[1]);
  return 0;
}
