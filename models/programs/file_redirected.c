/* Two threads print; the standard output is a file, which is read later.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *line) {
  puts(line);
  return 0;
}

int main(void) {
  pthread_t a, b;
  char c = 0;
  int fd = open(P_tmpdir "/weave.out", O_CREAT | O_RDWR | O_TRUNC, 0600);
  dup2(fd, 1);
  pthread_create(&a, 0, work, "a");
  pthread_create(&b, 0, work, "b");
  pthread_join(a, 0);
  pthread_join(b, 0);
  fflush(stdout);
  assert(pread(fd, &c, 1, 0) == 1 && c == 'a');
  return 0;
}
