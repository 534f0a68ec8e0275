/* A child has the handler of SIGCHLD from its parent: the end of its own child comes before it looks, or behind that.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int ended;
static void handle(int unused) { (void)unused, ended++; }

int main(void) {
  signal(SIGCHLD, handle);
  pid_t child = fork();
  if (child == 0) {
    pid_t grandchild = fork();
    if (grandchild == 0) _exit(0);
    assert(ended == 1);
    waitpid(grandchild, 0, 0);
    _exit(0);
  }
  waitpid(child, 0, 0);
  return 0;
}
