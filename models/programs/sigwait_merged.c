/* The same signal twice may be one: the second wait may be forever.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t wanted;

static void *waits(void *unused) {
  int signal = 0;
  for (int i = 0; i < 2; i++) assert(sigwait(&wanted, &signal) == 0 && (signal == SIGUSR1 || signal == SIGUSR2));
  return unused;
}

int main(void) {
  pthread_t thread;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  sigaddset(&wanted, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &wanted, 0);
  pthread_create(&thread, 0, waits, 0);
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR1);
  pthread_join(thread, 0);
  return 0;
}
