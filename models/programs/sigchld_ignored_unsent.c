/* Of a child whose end is ignored no signal is sent, also if that is blocked.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  sigset_t one, pending;
  sigemptyset(&one);
  sigaddset(&one, SIGCHLD);
  sigprocmask(SIG_BLOCK, &one, 0);
  signal(SIGCHLD, SIG_IGN);
  pid_t child = fork();
  if (child == 0) _exit(0);
  assert(waitpid(child, 0, 0) == -1);
  sigpending(&pending);
  assert(!sigismember(&pending, SIGCHLD));
  return 0;
}
