/* What one thread prints another may flush, or not.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static FILE *stream;

static void *prints(void *unused) {
  fputs("x", stream);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct stat about;
  stream = fopen(P_tmpdir "/weave.flushed", "w");
  pthread_create(&thread, 0, prints, 0);
  fflush(stream);
  stat(P_tmpdir "/weave.flushed", &about);
  assert(about.st_size == 0);
  pthread_join(thread, 0);
  return 0;
}
