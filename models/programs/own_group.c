/* A program leads its process group, as under a shell; its children belong to the same group.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  assert(getsid(0) > 0);
  assert(getpgrp() == getpid());
  if (fork() == 0) {
    assert(getpgrp() == getppid());
    _exit(0);
  }
  int status;
  assert(wait(&status) > 0);
  assert(WIFEXITED(status));
}
