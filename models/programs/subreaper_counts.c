/* The same, with a count of those that are waited for.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int count = 0;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (!fork()) {
    if (!fork()) _exit(7);
    _exit(0);
  }
  while (wait(0) > 0) count++;
  assert(count == 2);
  return 0;
}
