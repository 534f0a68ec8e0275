/* The alarm of a child may ring before the child ends: its parent, which waits for that child, sees
 * another status.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (!child) {
    alarm(1);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  assert(WIFEXITED(status));
  return 0;
}
