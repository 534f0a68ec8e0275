/* Datagrams know no end: a peer that was closed with something unread resets nothing, one that no
 * longer reads breaks the pipe. What is wrong with an argument is said.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char text[9];
  signal(SIGPIPE, SIG_IGN);
  socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends);
  write(ends[0], "ab", 2);
  close(ends[1]);
  assert(read(ends[0], text, 9) == -1 && errno == EAGAIN);
  struct pollfd one = {ends[0], POLLIN | POLLOUT, 0};
  poll(&one, 1, 0);
  assert(one.revents == POLLOUT);
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  shutdown(ends[1], SHUT_RD);
  assert(write(ends[0], "a", 1) == -1 && errno == EPIPE);
  assert(shutdown(ends[0], 7) == -1 && errno == EINVAL);
  return 0;
}
