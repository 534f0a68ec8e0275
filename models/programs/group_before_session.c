/* A parent makes its child lead a group before the child can begin a session.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    pid_t session = setsid();
    assert(session == getpid());
    _exit(0);
  }
  setpgid(child, child);
  waitpid(child, 0, 0);
}
