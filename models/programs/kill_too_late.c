/* The child may have ended before the signal comes.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status;
  pid_t child = fork();
  if (child == 0) _exit(0);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  assert(WIFSIGNALED(status));
  return 0;
}
