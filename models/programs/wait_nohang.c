/* WNOHANG asks without waiting: the child may have ended, or not.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  pid_t now = waitpid(child, 0, WNOHANG);
  if (now == 0) waitpid(child, 0, 0);
  assert(now == child); /* only if it was quick */
  return 0;
}
