/* The buffer of a stream is the program's memory: who prints writes it.
 * expect: violated
 * reason: race
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char buffer[256];
static FILE *stream;

static void *other(void *unused) {
  fputs("abc", stream);
  return unused;
}

int main(void) {
  pthread_t thread;
  stream = fopen(P_tmpdir "/weave.buffer", "w");
  setvbuf(stream, buffer, _IOFBF, sizeof buffer);
  pthread_create(&thread, 0, other, 0);
  assert(buffer[1] == 0);
  pthread_join(thread, 0);
  return 0;
}
