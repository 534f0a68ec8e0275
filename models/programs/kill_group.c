/* A signal to a group of processes is not modelled, and never sent: others may be in that group.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (!child) {
    setpgid(0, 0);
    pause();
  }
  setpgid(child, child);
  killpg(child, SIGKILL);
  waitpid(child, 0, 0);
  return 0;
}
