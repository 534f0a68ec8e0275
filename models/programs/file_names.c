/* One file under many names: a hard link, a symbolic link, a relative path, /proc/self/fd. WAY says which one is read.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef WAY
#define WAY 0
#endif
static const char *const names[] = {"hard", P_tmpdir "/d/soft", "./../d/data", "/proc/self/fd/9", P_tmpdir "/link/data"};
static int file;

static void *writer(void *unused) {
  assert(pwrite(file, "x", 1, 0) == 1);
  return unused;
}

int main(void) {
  pthread_t t;
  char c = 0;
  mkdir(P_tmpdir "/d", 0700);
  file = open(P_tmpdir "/d/data", O_CREAT | O_RDWR | O_TRUNC, 0600);
  link(P_tmpdir "/d/data", P_tmpdir "/d/hard");
  symlink("../d/./data", P_tmpdir "/d/soft");
  symlink("d", P_tmpdir "/link");
  chdir(P_tmpdir "/d");
  dup2(file, 9);
  pthread_create(&t, 0, writer, 0);
  int fd = open(names[WAY], O_RDONLY);
  assert(read(fd, &c, 1) == 1);
  pthread_join(t, 0);
  return 0;
}
