/* Children that are not waited for: wait ends with the last of them, and finds none.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  signal(SIGCHLD, SIG_IGN);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) _exit(0);
  assert(wait(0) == -1 && errno == ECHILD);
  return 0;
}
