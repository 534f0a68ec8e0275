/* The handler may run before the child reads: then nothing interrupts it any more, and it waits forever.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int unused) { (void)unused; }

int main(void) {
  int ends[2];
  char c;
  if (pipe(ends)) return 1;
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, 0);
  pid_t child = fork();
  if (child == 0) {
    if (read(ends[0], &c, 1) < 0) _exit(0); /* EINTR */
    _exit(1);
  }
  kill(child, SIGUSR1);
  waitpid(child, 0, 0);
  return 0;
}
