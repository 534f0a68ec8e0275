/* A child that kills its parent is adopted by another process at once. Which one that is depends
 * on the system.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void) {
  pid_t parent = getpid();
  if (fork())
    for (;;) pause();
  assert(getppid() == parent);
  kill(parent, SIGKILL);
  assert(getppid() != parent);
}
