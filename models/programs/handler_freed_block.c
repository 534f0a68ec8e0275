/* A handler reads a block that the code it interrupts has just freed.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile shown;
static volatile char seen;
static void handle(int unused) {
  (void)unused;
  if (shown) seen = shown[0];
}

int main(void) {
  shown = malloc(2000);
  shown[0] = 1;
  signal(SIGUSR1, handle);
  pid_t parent = getpid(), child = fork();
  if (!child) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  free(shown);
  shown = 0;
  waitpid(child, 0, 0);
  return 0;
}
