/* With SA_NODEFER a handler may interrupt itself between two assignments.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t inside, seen;
static void handle(int unused) { (void)unused, seen |= inside, inside = 1, inside = 0; }

static void handles(int signal, void (*handler)(int), int also_blocked, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  if (also_blocked) sigaddset(&action.sa_mask, also_blocked);
  sigaction(signal, &action, 0);
}

int main(void) {
  handles(SIGUSR1, handle, 0, SA_RESTART | SA_NODEFER);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    kill(parent, SIGUSR1);
    _exit(0);
  }
  waitpid(child, 0, 0);
  assert(!seen);
}
