/* poll says that one of two pipes is ready; which one is open.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <poll.h>
#include <unistd.h>

int main(void) {
  int pipes[2][2];
  for (int i = 0; i < 2; i++) {
    if (pipe(pipes[i])) return 1;
    if (fork() == 0) _exit(write(pipes[i][1], "x", 1) != 1);
  }
  struct pollfd both[] = {{.fd = pipes[0][0], .events = POLLIN}, {.fd = pipes[1][0], .events = POLLIN}};
  poll(both, 2, -1);
  assert(both[0].revents & POLLIN); /* or the other */
  return 0;
}
