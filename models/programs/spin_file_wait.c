/* A loop that waits for a file to appear, then reads it. The other thread renames it into place.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *maker(void *unused) {
  int fd = open(P_tmpdir "/weave.new", O_CREAT | O_WRONLY, 0600);
  write(fd, "x", 1);
  close(fd);
  rename(P_tmpdir "/weave.new", P_tmpdir "/weave.ready");
  return unused;
}

int main(void) {
  pthread_t t;
  char c = 0;
  pthread_create(&t, 0, maker, 0);
  while (access(P_tmpdir "/weave.ready", F_OK)) usleep(1000);
  int fd = open(P_tmpdir "/weave.ready", O_RDONLY);
  assert(read(fd, &c, 1) == 1 && c == 'x');
  pthread_join(t, 0);
  return 0;
}
