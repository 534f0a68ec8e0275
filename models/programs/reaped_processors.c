/* The parent may have waited for a process that another asks for its processors.
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
    cpu_set_t set;
    assert(sched_getaffinity(one, sizeof set, &set) == 0);
    _exit(0);
  }
  waitpid(one, 0, 0);
  waitpid(two, 0, 0);
  return 0;
}
