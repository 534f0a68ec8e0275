/* Two FIFOs, opened in different orders: each waits for the other.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  mkfifo(P_tmpdir "/weave.to", 0600);
  mkfifo(P_tmpdir "/weave.from", 0600);
  if (fork() == 0) {
    open(P_tmpdir "/weave.to", O_RDONLY);
    open(P_tmpdir "/weave.from", O_WRONLY);
    _exit(0);
  }
  open(P_tmpdir "/weave.from", O_RDONLY);
  open(P_tmpdir "/weave.to", O_WRONLY);
  wait(0);
  return 0;
}
