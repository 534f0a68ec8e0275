/* Who waits for a process does not see that it ends in parts.
 * expect: holds
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
  assert(waitpid(child, 0, 0) == child);
  assert(waitpid(child, 0, WNOHANG) == -1);
  return 0;
}
