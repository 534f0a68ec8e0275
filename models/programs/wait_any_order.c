/* Which of two children that have ended is waited for first, POSIX leaves open.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  siginfo_t info;
  pid_t one = fork();
  if (!one) _exit(0);
  pid_t two = fork();
  if (!two) _exit(0);
  waitid(P_PID, (id_t)two, &info, WEXITED | WNOWAIT);
  waitid(P_PID, (id_t)one, &info, WEXITED | WNOWAIT);
  assert(wait(0) == one);
  assert(wait(0) == two);
  return 0;
}
