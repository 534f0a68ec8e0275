/* The reader may have closed its end when the writer writes: the writer is killed by SIGPIPE, which is not handled.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], status;
  char c;
  if (pipe(ends)) return 1;
  pid_t writer = fork();
  if (writer == 0) {
    close(ends[0]);
    write(ends[1], "a", 1);
    write(ends[1], "b", 1);
    _exit(0);
  }
  close(ends[1]);
  read(ends[0], &c, 1);
  close(ends[0]);
  waitpid(writer, &status, 0);
  assert(WIFEXITED(status)); /* or killed by SIGPIPE */
  return 0;
}
