/* A process adopts its grandchild, which is not modelled: what fails then may not fail in truth.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t child = fork();
  if (!child) {
    if (!fork()) _exit(7);
    _exit(0);
  }
  assert(waitpid(child, 0, 0) == child);
  assert(wait(&status) > 0 && WEXITSTATUS(status) == 7);
  return 0;
}
