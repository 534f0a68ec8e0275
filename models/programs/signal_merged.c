/* Two signals of a kind that does not queue may be one.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t count;
static void handle(int unused) { (void)unused, count++; }

int main(void) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, 0);
  signal(SIGUSR1, handle);
  pid_t parent = getpid();
  for (int i = 0; i < 2; i++)
    if (fork() == 0) _exit(kill(parent, SIGUSR1));
  while (wait(0) > 0) {}
  sigprocmask(SIG_UNBLOCK, &one, 0);
  assert(count == 2);
  return 0;
}
