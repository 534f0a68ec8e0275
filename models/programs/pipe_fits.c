/* As pipe_full.c, with as much as a pipe holds: both can write before they read.
 * expect: holds
 * run: run
 */
#include <string.h>
#include <unistd.h>

static char block[65536];

static void all(int fd, int writing) {
  for (size_t at = 0; at < sizeof block;) {
    ssize_t n = writing ? write(fd, block + at, sizeof block - at) : read(fd, block + at, sizeof block - at);
    if (n <= 0) _exit(1);
    at += (size_t)n;
  }
}

int main(void) {
  int there[2], back[2];
  if (pipe(there) || pipe(back)) return 1;
  int child = fork() == 0;
  all(child ? back[1] : there[1], 1);
  all(child ? there[0] : back[0], 0);
  return 0;
}
