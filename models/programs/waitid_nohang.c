/* Without waiting there may be nothing to see yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  siginfo_t info = {0};
  pid_t child = fork();
  if (child == 0) _exit(0);
  assert(waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0);
  assert(info.si_pid == child);
  return 0;
}
