/* A signal to a process outside of the program is not modelled, and never sent.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void) {
  assert(kill(getppid(), SIGKILL) == -1);
  return 0;
}
