/* Two children end: sigsuspend ends with one handler, whose signal stands for both or not.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int count;
static void handle(int unused) { (void)unused, count++; }

int main(void) {
  sigset_t one, old;
  sigemptyset(&one);
  sigaddset(&one, SIGCHLD);
  sigprocmask(SIG_BLOCK, &one, &old);
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGCHLD, &action, 0);
  for (int i = 0; i < 2; i++)
    if (!fork()) _exit(0);
  sigsuspend(&old);
  assert(count == 1);
  while (wait(0) > 0) {}
}
