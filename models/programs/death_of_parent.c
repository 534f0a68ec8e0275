/* A signal at the end of the parent is not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte;
  pipe(ends);
  pid_t child = fork();
  if (!child) {
    if (!fork()) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      write(ends[1], "a", 1);
    }
    _exit(0);
  }
  close(ends[1]);
  waitpid(child, 0, 0);
  read(ends[0], &byte, 1);
  return 0;
}
