/* A handler that may interrupt itself reads in one place again and again, and returns from there.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t one, copy;
static void handle(int unused) { (void)unused, copy = one; }

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART | SA_NODEFER};
  sigaction(SIGUSR1, &action, 0);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; i++) kill(parent, SIGUSR1);
    _exit(0);
  }
  one = 1;
  waitpid(child, 0, 0);
  assert(copy == 0 || copy == 1);
}
