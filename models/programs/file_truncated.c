/* A reader asks for the size, then reads; meanwhile the file may be cut.
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

static int file;

static void *cut(void *unused) {
  ftruncate(file, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  struct stat about;
  char text[8];
  file = open(P_tmpdir "/weave.data", O_CREAT | O_RDWR | O_TRUNC, 0600);
  write(file, "1234", 4);
  pthread_create(&t, 0, cut, 0);
  fstat(file, &about);
  assert(pread(file, text, 8, 0) == about.st_size);
  pthread_join(t, 0);
  return 0;
}
