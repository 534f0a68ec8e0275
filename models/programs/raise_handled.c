/* A signal that a process sends to itself: the handler runs at once.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static void handle(int number) { seen = number; }

int main(void) {
  signal(SIGUSR1, handle);
  if (fork() == 0) {
    raise(SIGUSR1);
    assert(seen == SIGUSR1);
    raise(SIGTERM);
    assert(0);
  }
  int status;
  wait(&status);
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  return 0;
}
