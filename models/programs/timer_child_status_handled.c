/* As timer_child_status.c, with a handler: the child ends by itself.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int unused) { (void)unused; }

int main(void) {
  pid_t child = fork();
  if (!child) {
    signal(SIGALRM, handle);
    alarm(1);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  assert(WIFEXITED(status) && !WEXITSTATUS(status));
  return 0;
}
