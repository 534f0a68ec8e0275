/* One thread writes a file, another only makes it empty: whether anything is left depends on who came last.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static const char *const path = P_tmpdir "/weave.data";

static void *clear(void *unused) {
  close(open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600));
  return unused;
}

static void *fill(void *unused) {
  int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  write(fd, "x", 1);
  close(fd);
  return unused;
}

int main(void) {
  pthread_t a, b;
  char c = 0;
  pthread_create(&a, 0, clear, 0);
  pthread_create(&b, 0, fill, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(read(open(path, O_RDONLY), &c, 1) == 1);
  return 0;
}
