/* Nothing of the end of a process was seen when it is asked whether it is over.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], times = 0;
  char c;
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) _exit(write(ends[1], "x", 1) != 1);
  assert(read(ends[0], &c, 1) == 1);
  if (waitpid(child, 0, WNOHANG) == child) times++;
  if (!times) times += waitpid(child, 0, 0) == child;
  assert(times == 1);
  return 0;
}
