/* The end of a child is kept as a signal only if it is blocked by then.
 * expect: violated
 * reason: assertion
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
  pid_t child = fork();
  if (child == 0) _exit(0);
  sigprocmask(SIG_BLOCK, &one, 0);
  waitpid(child, 0, 0);
  sigpending(&pending);
  assert(sigismember(&pending, SIGCHLD));
  return 0;
}
