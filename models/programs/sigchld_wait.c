/* The end of a child is awaited as a signal.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  sigset_t one;
  siginfo_t info;
  sigemptyset(&one);
  sigaddset(&one, SIGCHLD);
  sigprocmask(SIG_BLOCK, &one, 0);
  pid_t child = fork();
  if (child == 0) _exit(3);
  assert(sigwaitinfo(&one, &info) == SIGCHLD);
  assert(info.si_pid == child && info.si_code == CLD_EXITED && info.si_status == 3);
  assert(waitpid(child, 0, WNOHANG) == child);
  return 0;
}
