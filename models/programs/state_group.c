/* A child has a group of its own, or not yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    pause();
  }
  assert(getpgid(child) != child);
  kill(child, SIGKILL);
  wait(0);
  return 0;
}
