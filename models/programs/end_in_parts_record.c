/* A process gives back its locks on records before it can be waited for.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int mine = open(P_tmpdir "/lock", O_CREAT | O_RDWR, 0600), ends[2];
  char c;
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    fcntl(mine, F_SETLK, &lock);
    _exit(write(ends[1], "x", 1) != 1);
  }
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
  assert(read(ends[0], &c, 1) == 1);
  assert(fcntl(mine, F_SETLKW, &lock) == 0);
  assert(waitpid(child, 0, WNOHANG) == child);
  return 0;
}
