/* A lock on a file that libc has opened: after the fork both have the same description, so neither waits for the other.
 * expect: holds
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
