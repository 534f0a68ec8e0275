/* The signal is blocked but in sigsuspend: it cannot be missed.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t came;
static void handle(int unused) { (void)unused, came = 1; }

int main(void) {
  sigset_t one, old;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, &old);
  signal(SIGUSR1, handle);
  pid_t child = fork();
  if (child == 0) {
    while (!came) assert(sigsuspend(&old) == -1 && errno == EINTR);
    _exit(0);
  }
  kill(child, SIGUSR1);
  int status;
  waitpid(child, &status, 0);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return 0;
}
