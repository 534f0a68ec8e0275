/* A stream is closed while another thread prints to it.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *other(void *unused) {
  fclose(stream);
  return unused;
}

int main(void) {
  pthread_t thread;
  stream = fopen(P_tmpdir "/weave.closed", "w");
  pthread_create(&thread, 0, other, 0);
  fputs("a", stream);
  pthread_join(thread, 0);
  return 0;
}
