/* The handler is there before the child is: it may run, or the child may end first.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int unused) { (void)unused; }

int main(void) {
  signal(SIGUSR1, handle);
  pid_t child = fork();
  if (child == 0) _exit(0);
  kill(child, SIGUSR1);
  int status;
  waitpid(child, &status, 0);
  assert(WIFEXITED(status));
  return 0;
}
