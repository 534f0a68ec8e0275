/* One handler allocates, another one frees: it may interrupt that. What then happens is not explored.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *block;
static void take(int unused) { (void)unused, block = malloc(8); }
static void leave(int unused) { (void)unused, free(0), free(malloc(8)); }

static void handles(int signal, void (*handler)(int), int also_blocked, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  if (also_blocked) sigaddset(&action.sa_mask, also_blocked);
  sigaction(signal, &action, 0);
}

int main(void) {
  handles(SIGUSR1, take, 0, SA_RESTART);
  handles(SIGUSR2, leave, 0, SA_RESTART);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    kill(parent, SIGUSR2);
    _exit(0);
  }
  waitpid(child, 0, 0);
}
