/* Linux never restarts a futex that has a time limit: sem_timedwait ends with EINTR, whatever the
 * handler's flags say.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sem_t ready;
static void handle(int unused) {
  (void)unused;
  sem_post(&ready);
}

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  struct timespec limit;
  sigaction(SIGALRM, &action, 0);
  sem_init(&ready, 0, 0);
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 100;
  alarm(1);
  assert(!(sem_timedwait(&ready, &limit) && errno == EINTR));
  return 0;
}
