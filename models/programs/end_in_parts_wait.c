/* A process closes its descriptors before it can be waited for.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) _exit(0);
  close(ends[1]);
  assert(read(ends[0], &c, 1) == 0);
  assert(waitpid(child, 0, WNOHANG) == child);
  return 0;
}
