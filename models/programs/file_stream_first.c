/* Two threads take lines from one stream: who gets the first is not known.
 * expect: violated
 * reason: assertion
 * run: run -DORDERED
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *file;
static int got[2];

static void *work(void *mine) {
  char line[8];
  assert(fgets(line, sizeof line, file));
  *(int *)mine = atoi(line);
  return 0;
}

int main(void) {
  pthread_t a, b;
  file = fopen(P_tmpdir "/weave.data", "w+");
  fputs("1\n2\n", file);
  rewind(file);
  pthread_create(&a, 0, work, &got[0]);
  pthread_create(&b, 0, work, &got[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(got[0] + got[1] == 3);
#ifdef ORDERED
  assert(got[0] == 1);
#endif
  return 0;
}
