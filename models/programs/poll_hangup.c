/* The end of a writer shows as POLLHUP, with or without data before it.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <poll.h>
#include <unistd.h>

int main(void) {
  int ends[2], bytes = 0;
  char c;
  if (pipe(ends)) return 1;
  if (fork() == 0) _exit(write(ends[1], "x", 1) != 1);
  close(ends[1]);
  for (;;) {
    struct pollfd one = {.fd = ends[0], .events = POLLIN};
    assert(poll(&one, 1, -1) == 1 && (one.revents & (POLLIN | POLLHUP)));
    if (!(one.revents & POLLIN)) break;
    assert(read(ends[0], &c, 1) == 1);
    bytes++;
  }
  assert(bytes == 1);
  return 0;
}
