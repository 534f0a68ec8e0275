/* How a child is scheduled is set while its parent looks: not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    struct sched_param how = {0};
    sched_setscheduler(0, SCHED_BATCH, &how);
    pause();
  }
  assert(sched_getscheduler(child) >= 0);
  kill(child, SIGKILL);
  wait(0);
  return 0;
}
