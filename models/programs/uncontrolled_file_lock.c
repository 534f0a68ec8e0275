/* A lock on a file that was opened behind our back: whose it is, after the fork, is not known.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

int main(void) {
  FILE *file = tmpfile();
  fork();
  flock(fileno(file), LOCK_EX);
  flock(fileno(file), LOCK_UN);
  return 0;
}
