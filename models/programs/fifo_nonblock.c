/* A writer that does not wait: there may be no reader yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  mkfifo("/tmp/weave.fifo", 0600);
  if (fork() == 0) {
    open("/tmp/weave.fifo", O_RDONLY | O_NONBLOCK);
    _exit(0);
  }
  assert(open("/tmp/weave.fifo", O_WRONLY | O_NONBLOCK) >= 0);
  return 0;
}
