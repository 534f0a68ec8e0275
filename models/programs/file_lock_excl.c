/* A lock file: the process that makes it is inside. With O_EXCL only one does.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOCK P_tmpdir "/weave.lock"
static volatile int *inside;

static void work(void) {
  int fd = open(LOCK, O_CREAT | O_EXCL | O_RDWR, 0600);
  if (fd < 0) return; /* another one has it */
  assert(++*inside == 1);
  --*inside;
  close(fd);
  unlink(LOCK);
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
