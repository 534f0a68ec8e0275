/* A lock by link(2), which makes a second name or fails: only one can have it.
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

static void work(const char *own) {
  close(open(own, O_CREAT | O_WRONLY, 0600));
  if (link(own, LOCK) == 0) {
    assert(++*inside == 1);
    --*inside;
    unlink(LOCK);
  }
}

int main(void) {
  inside = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    work(P_tmpdir "/weave.b");
    _exit(0);
  }
  work(P_tmpdir "/weave.a");
  wait(0);
  return 0;
}
