/* Standard output and stdio on both ends of a pipe: what libc reads and writes by itself is under control too.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char line[64];
  if (pipe(ends)) return 1;
  if (fork() == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    printf("first %d\n", 1);
    printf("second %d\n", 2);
    return 0;
  }
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  assert(fgets(line, sizeof line, in) && !strcmp(line, "first 1\n"));
  assert(fgets(line, sizeof line, in) && !strcmp(line, "second 2\n"));
  assert(!fgets(line, sizeof line, in));
  fclose(in);
  wait(0);
  return 0;
}
