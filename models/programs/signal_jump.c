/* A handler that does not return.
 * Why: what it interrupted is left behind, which is not modelled; the answer must not be *holds*.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;

static void handler(int unused) {
  (void)unused;
  siglongjmp(back, 1);
}

int main(void) {
  signal(SIGUSR1, handler);
  pid_t parent = getpid();
  if (!sigsetjmp(back, 1)) {
    if (!fork()) {
      kill(parent, SIGUSR1);
      _exit(0);
    }
    for (;;) pause();
  }
  wait(0);
  return 0;
}
