/* A lock file that is looked for before it is made: both may find none.
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

#define LOCK P_tmpdir "/weave.lock"
static volatile int *inside;

static void work(void) {
  if (access(LOCK, F_OK) == 0) return;
  int fd = open(LOCK, O_CREAT | O_RDWR, 0600);
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
