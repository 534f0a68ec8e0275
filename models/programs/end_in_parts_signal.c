/* A process closes its descriptors before its parent gets SIGCHLD.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t count;

static void handle(int unused) {
  (void)unused;
  count++;
}

int main(void) {
  int ends[2];
  char c;
  signal(SIGCHLD, handle);
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) _exit(0);
  close(ends[1]);
  while (read(ends[0], &c, 1) < 0) {}
  assert(count == 1);
  while (waitpid(child, 0, 0) < 0) {}
  return 0;
}
