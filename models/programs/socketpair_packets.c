/* Packets keep their boundaries, whatever the order of sending and receiving.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char text[16];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends)) return 1;
  if (fork() == 0) {
    close(ends[0]);
    send(ends[1], "ab", 2, 0);
    send(ends[1], "cde", 3, 0);
    _exit(0);
  }
  close(ends[1]);
  assert(recv(ends[0], text, sizeof text, 0) == 2);
  assert(recv(ends[0], text, 1, 0) == 1); /* the rest is lost */
  assert(recv(ends[0], text, sizeof text, 0) == 0);
  return 0;
}
