/* A timer may fire until it is stopped, and not afterwards.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t count;
static void handle(int unused, siginfo_t *info, void *context) {
  (void)unused, (void)context;
  assert(info->si_code == SI_TIMER && info->si_value.sival_int == 5);
  count++;
}

int main(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 5};
  struct itimerspec once = {{0, 0}, {1, 0}}, never = {{0, 0}, {0, 0}};
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  assert(timer_settime(timer, 0, &once, 0) == 0);
  assert(timer_settime(timer, 0, &never, 0) == 0);
  int before = count;
  sleep(1);
  assert(count == before && count <= 1);
  return 0;
}
