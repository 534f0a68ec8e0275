/* Signals of real time queue up, each with its value.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t count, sum;
static void handle(int unused, siginfo_t *info, void *context) {
  (void)unused, (void)context;
  count++;
  sum += info->si_value.sival_int;
}

int main(void) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &one, 0);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, 0);
  pid_t parent = getpid();
  for (int i = 1; i <= 2; i++)
    if (fork() == 0) _exit(sigqueue(parent, SIGRTMIN, (union sigval){.sival_int = i}));
  while (wait(0) > 0) {}
  sigprocmask(SIG_UNBLOCK, &one, 0);
  assert(count == 2 && sum == 3);
  return 0;
}
