/* A counter in a file, guarded by flock on descriptors of their own.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *inside;

static void work(void) {
  int fd = open(P_tmpdir "/weave.lock", O_CREAT | O_RDWR, 0600);
  assert(flock(fd, LOCK_EX) == 0);
  assert(++*inside == 1);
  --*inside;
  close(fd); /* lets go */
}

int main(void) {
  inside = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    work();
    _exit(0);
  }
  work();
  wait(0);
  return 0;
}
