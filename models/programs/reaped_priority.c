/* The parent may have waited for a process that another asks for its priority.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t one = fork();
  if (!one) _exit(0);
  pid_t two = fork();
  if (!two) {
    assert(getpriority(PRIO_PROCESS, (id_t)one) != -1);
    _exit(0);
  }
  waitpid(one, 0, 0);
  waitpid(two, 0, 0);
  return 0;
}
