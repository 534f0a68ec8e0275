/* A child has a session of its own, or not yet.
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
    setsid();
    pause();
  }
  assert(getsid(child) != child);
  kill(child, SIGKILL);
  wait(0);
  return 0;
}
