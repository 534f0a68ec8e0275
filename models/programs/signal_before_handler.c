/* The child installs its handler itself: the signal may be quicker, and kill it.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int unused) { (void)unused; }

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGUSR1, handle);
    _exit(0);
  }
  kill(child, SIGUSR1);
  int status;
  waitpid(child, &status, 0);
  assert(WIFEXITED(status));
  return 0;
}
