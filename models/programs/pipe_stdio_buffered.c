/* What stdio keeps in its buffer is not in the pipe: the parent waits for a line that was not flushed, the child for an answer.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int there[2], back[2];
  char line[64];
  if (pipe(there) || pipe(back)) return 1;
  if (fork() == 0) {
    FILE *out = fdopen(there[1], "w");
    fprintf(out, "question\n"); /* fflush is missing */
    return read(back[0], line, sizeof line) < 0;
  }
  FILE *in = fdopen(there[0], "r");
  if (fgets(line, sizeof line, in)) write(back[1], "answer\n", 7);
  return 0;
}
