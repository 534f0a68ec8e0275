/* Two threads read lines from one stream on a pipe: each gets one.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *stream;
static char lines[2][8];

static void *reads(void *to) {
  fgets(to, sizeof lines[0], stream);
  return 0;
}

int main(void) {
  pthread_t a, b;
  int ends[2];
  pipe(ends);
  write(ends[1], "a\nb\n", 4);
  close(ends[1]);
  stream = fdopen(ends[0], "r");
  pthread_create(&a, 0, reads, lines[0]);
  pthread_create(&b, 0, reads, lines[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(lines[0][0] != lines[1][0]);
  return 0;
}
