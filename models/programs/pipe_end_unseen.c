/* Having waited for one of two writers says nothing about the other: the end of the pipe need not be there.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  if (pipe(ends)) return 1;
  pid_t first = fork();
  if (first == 0) _exit(0);
  if (fork() == 0) _exit(0);
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  waitpid(first, 0, 0);
  assert(read(ends[0], &c, 1) == 0);
  return 0;
}
