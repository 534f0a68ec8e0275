/* A timer whose signal is not handled may end the process before its work is done.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status, ends[2];
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (child == 0) {
    struct itimerval once = {{0, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &once, 0);
    if (write(ends[1], "x", 1) != 1) _exit(1);
    _exit(0);
  }
  waitpid(child, &status, 0);
  assert(WIFEXITED(status));
  return 0;
}
