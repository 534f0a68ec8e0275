/* A parent that asks again and again whether its child has ended, without waiting.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(3);
  while (waitpid(child, &status, WNOHANG) == 0) sched_yield();
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  return 0;
}
