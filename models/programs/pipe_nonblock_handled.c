/* A pipe that does not wait, made to wait after the first try: EAGAIN or the byte, then the byte or the end.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c = 0;
  if (pipe(ends)) return 1;
  if (fork() == 0) _exit(write(ends[1], "x", 1) != 1);
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  ssize_t n = read(ends[0], &c, 1);
  assert(n == 1 || (n == -1 && errno == EAGAIN));
  fcntl(ends[0], F_SETFL, 0);
  if (n < 0) assert(read(ends[0], &c, 1) == 1);
  assert(c == 'x' && read(ends[0], &c, 1) == 0);
  return 0;
}
