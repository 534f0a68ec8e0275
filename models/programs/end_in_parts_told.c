/* Another process sees a part of an end, and tells the parent.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], tells[2];
  char c;
  if (pipe(ends) || pipe(tells)) return 1;
  pid_t child = fork();
  if (!child) _exit(0);
  pid_t other = fork();
  close(ends[1]);
  if (!other) {
    if (read(ends[0], &c, 1) == 0) write(tells[1], "x", 1);
    _exit(0);
  }
  assert(read(tells[0], &c, 1) == 1);
  assert(waitpid(child, 0, WNOHANG) == child);
  waitpid(other, 0, 0);
  return 0;
}
