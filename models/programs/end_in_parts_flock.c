/* A process gives back its locks before it can be waited for.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int mine = open(P_tmpdir "/lock", O_CREAT | O_RDWR, 0600), ends[2];
  char c;
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) {
    int own = open(P_tmpdir "/lock", O_RDWR);
    flock(own, LOCK_EX);
    _exit(write(ends[1], "x", 1) != 1);
  }
  assert(read(ends[0], &c, 1) == 1);
  flock(mine, LOCK_EX);
  assert(waitpid(child, 0, WNOHANG) == child);
  return 0;
}
