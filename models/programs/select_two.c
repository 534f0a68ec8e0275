/* select over two pipes, until both have ended.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/select.h>
#include <unistd.h>

int main(void) {
  int pipes[2][2], open = 2, bytes = 0;
  for (int i = 0; i < 2; i++) {
    if (pipe(pipes[i])) return 1;
    if (fork() == 0) _exit(write(pipes[i][1], "x", 1) != 1);
    close(pipes[i][1]);
  }
  while (open) {
    fd_set ready;
    FD_ZERO(&ready);
    for (int i = 0; i < 2; i++)
      if (pipes[i][0] >= 0) FD_SET(pipes[i][0], &ready);
    assert(select(FD_SETSIZE, &ready, 0, 0, 0) > 0);
    for (int i = 0; i < 2; i++) {
      char c;
      if (pipes[i][0] < 0 || !FD_ISSET(pipes[i][0], &ready)) continue;
      if (read(pipes[i][0], &c, 1) == 1) {
        bytes++;
      } else {
        close(pipes[i][0]);
        pipes[i][0] = -1;
        open--;
      }
    }
  }
  assert(bytes == 2);
  return 0;
}
