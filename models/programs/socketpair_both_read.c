/* Both sides wait for the other to begin.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends)) return 1;
  int mine = ends[fork() == 0];
  read(mine, &c, 1);
  write(mine, "x", 1);
  return 0;
}
