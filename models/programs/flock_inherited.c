/* A lock of flock belongs to what both processes have from before the fork: it keeps neither out.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *inside;
static int fd;

static void work(void) {
  assert(flock(fd, LOCK_EX) == 0);
  assert(++*inside == 1);
  --*inside;
  flock(fd, LOCK_UN);
}

int main(void) {
  fd = open(P_tmpdir "/weave.lock", O_CREAT | O_RDWR, 0600);
  inside = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    work();
    _exit(0);
  }
  work();
  wait(0);
  return 0;
}
