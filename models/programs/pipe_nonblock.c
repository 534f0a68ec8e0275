/* A pipe that does not wait: there may be nothing in it yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  if (pipe2(ends, O_NONBLOCK)) return 1;
  if (fork() == 0) _exit(write(ends[1], "x", 1) != 1);
  assert(read(ends[0], &c, 1) == 1);
  return 0;
}
