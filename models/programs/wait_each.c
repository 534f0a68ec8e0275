/* waitpid for each child, in an order: exit statuses arrive, and there is one run only.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t children[3];
  for (int i = 0; i < 3; i++)
    if ((children[i] = fork()) == 0) _exit(10 + i);
  for (int i = 2; i >= 0; i--) {
    int status;
    assert(waitpid(children[i], &status, 0) == children[i]);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 10 + i);
  }
  assert(wait(0) == -1 && errno == ECHILD);
  return 0;
}
