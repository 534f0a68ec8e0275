/* Two threads print to one pipe: what comes out first depends on their order.
 * expect: violated
 * run: run
 * reason: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *prints(void *unused) {
  putchar('a');
  return unused;
}

int main(void) {
  int ends[2];
  char byte = 0;
  if (pipe(ends)) return 1;
  dup2(ends[1], 1);
  pthread_t other;
  pthread_create(&other, 0, prints, 0);
  putchar('b');
  pthread_join(other, 0);
  fflush(stdout);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'b');
  return 0;
}
