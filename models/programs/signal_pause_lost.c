/* Between the look at the flag and pause the signal may come: it wakes no thread.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t came;
static void handle(int unused) { (void)unused, came = 1; }

int main(void) {
  signal(SIGUSR1, handle);
  pid_t child = fork();
  if (child == 0) {
    while (!came) pause();
    _exit(0);
  }
  kill(child, SIGUSR1);
  waitpid(child, 0, 0);
  return 0;
}
