/* From shared to exclusive: flock lets go first, so no process waits forever; but another may have been inside meanwhile.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *changes;

static void work(void) {
  int fd = open(P_tmpdir "/weave.lock", O_CREAT | O_RDWR, 0600);
  flock(fd, LOCK_SH);
  int before = *changes;
  flock(fd, LOCK_EX);
  assert(*changes == before);
  ++*changes;
  flock(fd, LOCK_UN);
}

int main(void) {
  changes = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    work();
    _exit(0);
  }
  work();
  wait(0);
  return 0;
}
