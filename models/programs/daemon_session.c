/* A daemon stays in the session of a process that has ended.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (!child) {
    pid_t session = setsid();
    if (fork()) _exit(0);
    assert(getsid(0) == session && getpgrp() == session && getpid() != session);
    assert(setpgid(0, 0) == 0 && getpgrp() == getpid() && getsid(0) == session);
    _exit(0);
  }
  waitpid(child, 0, 0);
  return 0;
}
