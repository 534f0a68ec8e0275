/* wait for any child: which of the two that have ended is reaped first is open, and so is whether both have.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t first = fork();
  if (first == 0) _exit(1);
  pid_t second = fork();
  if (second == 0) _exit(2);
  int status;
  pid_t reaped = wait(&status);
  assert(reaped == first); /* not so */
  wait(&status);
  return 0;
}
