/* A writer that does not wait: there may be no reader yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  mkfifo(P_tmpdir "/weave.fifo", 0600);
  if (fork() == 0) {
    open(P_tmpdir "/weave.fifo", O_RDONLY | O_NONBLOCK);
    _exit(0);
  }
  assert(open(P_tmpdir "/weave.fifo", O_WRONLY | O_NONBLOCK) >= 0);
  return 0;
}
