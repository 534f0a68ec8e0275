/* As wait_eintr.c, with SA_RESTART.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int unused) { (void)unused; }

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, 0);
  pid_t child = fork();
  if (!child) _exit(0);
  alarm(1);
  assert(waitpid(child, 0, 0) == child);
  return 0;
}
