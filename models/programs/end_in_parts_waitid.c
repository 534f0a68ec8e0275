/* The same, asked for with waitid.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) _exit(0);
  close(ends[1]);
  siginfo_t info = {.si_pid = 0};
  assert(read(ends[0], &c, 1) == 0);
  waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
  assert(info.si_pid == child);
  waitpid(child, 0, 0);
  return 0;
}
