/* The parent may have waited for a process that another asks how it is scheduled.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t one = fork();
  if (!one) _exit(0);
  pid_t two = fork();
  if (!two) {
    assert(sched_getscheduler(one) != -1);
    _exit(0);
  }
  waitpid(one, 0, 0);
  waitpid(two, 0, 0);
  return 0;
}
