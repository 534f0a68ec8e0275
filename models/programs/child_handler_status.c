/* A process in the middle handles SIGCHLD: whether its own child ends before it does decides its
 * status.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int unused) {
  (void)unused;
  _exit(1);
}

int main(void) {
  pid_t child = fork();
  if (!child) {
    signal(SIGCHLD, handle);
    if (!fork()) _exit(0);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  assert(WEXITSTATUS(status) == 0);
  return 0;
}
