/* SIGCHLD is taken back while a child may end: both orders are tried.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  signal(SIGCHLD, SIG_IGN);
  pid_t child = fork();
  if (child == 0) _exit(0);
  signal(SIGCHLD, SIG_DFL);
  assert(waitpid(child, 0, 0) == child);
  return 0;
}
