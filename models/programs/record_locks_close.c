/* To close any descriptor of the file lets go of the lock.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *inside;

static void work(void) {
  int fd = open(P_tmpdir "/weave.lock", O_CREAT | O_RDWR, 0600);
  lockf(fd, F_LOCK, 0);
  close(open(P_tmpdir "/weave.lock", O_RDONLY)); /* a look at something else */
  assert(++*inside == 1);
  --*inside;
  lockf(fd, F_ULOCK, 0);
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
