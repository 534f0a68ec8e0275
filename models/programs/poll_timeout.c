/* poll with a limit: it may be over before the child has written, and the program counts on it not being.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <poll.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  if (fork() == 0) _exit(write(ends[1], "x", 1) != 1);
  struct pollfd one = {.fd = ends[0], .events = POLLIN};
  assert(poll(&one, 1, 1000) == 1);
  return 0;
}
