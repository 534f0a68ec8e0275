/* Two ranges in different orders: the one that gets EDEADLK lets go, and none waits forever.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd;

static int lock(int type, off_t start) {
  struct flock l = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = 1};
  return fcntl(fd, F_SETLKW, &l);
}
static void work(off_t first, off_t second) {
  lock(F_WRLCK, first);
  int error = lock(F_WRLCK, second) ? errno : 0;
  lock(F_UNLCK, first);
  lock(F_UNLCK, second);
  assert(error == 0 || error == EDEADLK);
}

int main(void) {
  fd = open(P_tmpdir "/weave.lock", O_CREAT | O_RDWR, 0600);
  if (fork() == 0) {
    work(0, 1);
    _exit(0);
  }
  work(1, 0);
  wait(0);
  return 0;
}
