/* A parent that waits for its child is there until the child ends.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t parent = getpid();
  if (fork()) {
    wait(0);
    return 0;
  }
  assert(getppid() == parent);
  assert(getppid() == parent);
}
