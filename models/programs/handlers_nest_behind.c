/* What a handler finds half done, although another one, which blocks its signal, always comes first.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t inside, seen;
static void first(int unused) { (void)unused; }
static void second(int unused) { (void)unused, seen |= inside; }

static void handles(int signal, void (*handler)(int), int also_blocked, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  if (also_blocked) sigaddset(&action.sa_mask, also_blocked);
  sigaction(signal, &action, 0);
}

int main(void) {
  handles(SIGUSR1, first, SIGUSR2, SA_RESTART);
  handles(SIGUSR2, second, 0, SA_RESTART);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    kill(parent, SIGUSR2);
    _exit(0);
  }
  inside = 1, inside = 0;
  waitpid(child, 0, 0);
  assert(!seen);
}
