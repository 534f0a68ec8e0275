/* A process that is killed and then waited for is assumed to do nothing in between.
 * expect: holds
 * assumes: a process that is killed is gone at once
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (!child) {
    pause();
    _exit(0);
  }
  kill(child, SIGKILL);
  assert(waitpid(child, 0, 0) == child);
  return 0;
}
