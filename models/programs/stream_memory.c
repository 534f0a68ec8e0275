/* The same with a stream in memory.
 * expect: violated
 * run: run
 * reason: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *stream;
static char *text;
static size_t length;

static void *prints(void *unused) {
  fputs("a", stream);
  return unused;
}

int main(void) {
  stream = open_memstream(&text, &length);
  pthread_t other;
  pthread_create(&other, 0, prints, 0);
  fputs("b", stream);
  pthread_join(other, 0);
  fflush(stream);
  assert(text[0] == 'b');
  return 0;
}
