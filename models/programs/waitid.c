/* waitid looks at a child that has ended, and leaves it to the next wait.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  siginfo_t info = {0};
  int status;
  pid_t child = fork();
  if (child == 0) _exit(7);
  assert(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) == 0);
  assert(info.si_pid == child && info.si_code == CLD_EXITED && info.si_status == 7);
  assert(waitpid(child, &status, WNOHANG) == child && WEXITSTATUS(status) == 7);
  assert(waitid(P_PID, (id_t)child, &info, WEXITED) == -1);
  return 0;
}
