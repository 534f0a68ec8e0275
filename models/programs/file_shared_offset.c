/* Parent and child read through one description: each byte is read once, but by which process is not known.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int fd = open(P_tmpdir "/weave.data", O_CREAT | O_RDWR | O_TRUNC, 0600);
  write(fd, "ab", 2);
  lseek(fd, 0, SEEK_SET);
  char c = 0;
  if (fork() == 0) {
    read(dup(fd), &c, 1);
    _exit(0);
  }
  read(fd, &c, 1);
  assert(c == 'a');
  wait(0);
  return 0;
}
