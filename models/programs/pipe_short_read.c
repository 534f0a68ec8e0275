/* A message written in two parts is taken to arrive in one read.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  if (fork() == 0) {
    write(ends[1], "head", 4);
    write(ends[1], "body", 4);
    _exit(0);
  }
  char message[8];
  assert(read(ends[0], message, 8) == 8); /* or 4 */
  return 0;
}
