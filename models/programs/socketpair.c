/* Question and answer over a pair of sockets; the end of the client is the end of the server.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
  if (fork() == 0) {
    close(ends[0]);
    while (recv(ends[1], &c, 1, 0) == 1) {
      c++;
      send(ends[1], &c, 1, 0);
    }
    _exit(0);
  }
  close(ends[1]);
  for (char i = 0; i < 3; i++) {
    c = i;
    assert(write(ends[0], &c, 1) == 1 && read(ends[0], &c, 1) == 1 && c == i + 1);
  }
  shutdown(ends[0], SHUT_WR);
  assert(read(ends[0], &c, 1) == 0);
  wait(0);
  return 0;
}
