/* A FIFO: to open it waits for the other end; behind the writer's end there is nothing to read.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  char c;
  assert(mkfifo(P_tmpdir "/weave.fifo", 0600) == 0);
  if (fork() == 0) {
    int out = open(P_tmpdir "/weave.fifo", O_WRONLY);
    assert(write(out, "x", 1) == 1);
    _exit(0);
  }
  int in = open(P_tmpdir "/weave.fifo", O_RDONLY);
  assert(read(in, &c, 1) == 1 && c == 'x');
  assert(read(in, &c, 1) == 0);
  wait(0);
  return 0;
}
