/* A process that was killed has not ended yet.
 * expect: unknown
 * reason: uncontrolled
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
  assert(waitpid(child, 0, WNOHANG) == child);
  return 0;
}
