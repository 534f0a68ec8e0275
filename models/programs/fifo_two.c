/* Two FIFOs, opened in different orders: each waits for the other.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  mkfifo("/tmp/weave.to", 0600);
  mkfifo("/tmp/weave.from", 0600);
  if (fork() == 0) {
    open("/tmp/weave.to", O_RDONLY);
    open("/tmp/weave.from", O_WRONLY);
    _exit(0);
  }
  open("/tmp/weave.from", O_RDONLY);
  open("/tmp/weave.to", O_WRONLY);
  wait(0);
  return 0;
}
