/* As pipe_broken.c, with SIGPIPE ignored: the second write succeeds or fails with EPIPE.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], status;
  char c;
  signal(SIGPIPE, SIG_IGN);
  if (pipe(ends)) return 1;
  pid_t writer = fork();
  if (writer == 0) {
    close(ends[0]);
    write(ends[1], "a", 1);
    ssize_t n = write(ends[1], "b", 1);
    assert(n == 1 || (n == -1 && errno == EPIPE));
    _exit(0);
  }
  close(ends[1]);
  read(ends[0], &c, 1);
  close(ends[0]);
  waitpid(writer, &status, 0);
  assert(WIFEXITED(status));
  return 0;
}
