/* SIGCHLD is ignored while a child may end: both orders are tried.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  signal(SIGCHLD, SIG_IGN);
  assert(waitpid(child, 0, 0) != child);
  return 0;
}
