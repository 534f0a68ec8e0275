/* The parent keeps its own writing end open: the end of the pipe never comes.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  if (pipe(ends)) return 1;
  if (fork() == 0) {
    write(ends[1], "x", 1);
    _exit(0);
  }
  while (read(ends[0], &c, 1) > 0) {} /* close(ends[1]) is missing above */
  wait(0);
  return 0;
}
