/* A signal to a process that has a handler for it is not modelled: nothing can be said.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <signal.h>
#include <unistd.h>

static void handle(int unused) { (void)unused; }

int main(void) {
  int ends[2];
  char c;
  if (pipe(ends)) return 1;
  signal(SIGUSR1, handle);
  pid_t child = fork();
  if (child == 0) _exit(read(ends[0], &c, 1) < 0);
  kill(child, SIGUSR1);
  return 0;
}
