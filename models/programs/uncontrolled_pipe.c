/* Pipes are not modelled: what passes through one is not under control, and so nothing can be said.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <unistd.h>

int main(void) {
  int ends[2];
  char c = 'x';
  if (pipe(ends)) return 1;
  if (fork() == 0) _exit(write(ends[1], &c, 1) != 1);
  return read(ends[0], &c, 1) != 1;
}
