/* A handler reads a variable on the stack of what it interrupts, by a pointer to it.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *volatile shown;
static void handle(int unused) {
  (void)unused;
  if (shown) assert(*shown == 7);
}

int main(void) {
  signal(SIGUSR1, handle);
  pid_t parent = getpid(), child = fork();
  if (!child) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  volatile int own = 0;
  shown = &own;
  own = 7;
  shown = 0;
  waitpid(child, 0, 0);
  return 0;
}
