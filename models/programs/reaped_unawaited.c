/* When a child is gone that needs no wait, only the kernel knows.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  signal(SIGCHLD, SIG_IGN);
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) _exit(0);
  close(ends[1]);
  assert(read(ends[0], &c, 1) == 0);
  assert(getpgid(child) == -1);
  return 0;
}
