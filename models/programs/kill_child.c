/* A child that waits forever is killed, and its parent sees of what it died.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], status;
  char c;
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (child == 0) _exit(read(ends[0], &c, 1) < 0);
  kill(child, SIGTERM);
  waitpid(child, &status, 0);
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  return 0;
}
