/* A child has another priority, or not yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    nice(5);
    pause();
  }
  assert(getpriority(PRIO_PROCESS, child) == getpriority(PRIO_PROCESS, 0));
  kill(child, SIGKILL);
  wait(0);
  return 0;
}
