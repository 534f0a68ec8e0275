/* Processes of one thread that share no memory need no instrumentation.
 * compile: cc -O2
 * expect: holds
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], status;
  char c = 0;
  if (pipe(ends)) return 1;
  if (fork() == 0) return write(ends[1], "x", 1) != 1;
  assert(read(ends[0], &c, 1) == 1 && c == 'x');
  assert(wait(&status) > 0 && status == 0);
  return 0;
}
