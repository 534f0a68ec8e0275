/* Locks on ranges of a file: two processes, each with its own part, then both with all of it.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *inside;
static int fd;

static void lock(int type, off_t start, off_t length) {
  struct flock l = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  assert(fcntl(fd, F_SETLKW, &l) == 0);
}
static void work(off_t own) {
  lock(F_WRLCK, own, 10);
  lock(F_UNLCK, own, 10);
  lock(F_WRLCK, 0, 0);
  assert(++*inside == 1);
  --*inside;
  lock(F_UNLCK, 0, 0);
}

int main(void) {
  fd = open(P_tmpdir "/weave.lock", O_CREAT | O_RDWR, 0600);
  inside = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    work(0);
    _exit(0);
  }
  work(10);
  wait(0);
  return 0;
}
