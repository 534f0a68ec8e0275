/* Two handlers that block each other's signal: neither finds the other half done.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t depth, deepest;
static void handle(int unused) {
  (void)unused, depth++;
  if (depth > deepest) deepest = depth;
  depth--;
}

static void handles(int signal, void (*handler)(int), int also_blocked, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  if (also_blocked) sigaddset(&action.sa_mask, also_blocked);
  sigaction(signal, &action, 0);
}

int main(void) {
  handles(SIGUSR1, handle, SIGUSR2, SA_RESTART);
  handles(SIGUSR2, handle, SIGUSR1, SA_RESTART);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    kill(parent, SIGUSR2);
    _exit(0);
  }
  waitpid(child, 0, 0);
  assert(deepest == 1);
}
