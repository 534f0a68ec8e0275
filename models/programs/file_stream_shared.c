/* Two threads print to one stream. Nothing is written before it is closed, but the order of the lines was made before.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *file;

static void *work(void *line) {
  fputs(line, file);
  return 0;
}

int main(void) {
  pthread_t a, b;
  char first[8] = "";
  file = fopen(P_tmpdir "/weave.log", "w+");
  pthread_create(&a, 0, work, "one\n");
  pthread_create(&b, 0, work, "two\n");
  pthread_join(a, 0);
  pthread_join(b, 0);
  fclose(file);
  file = fopen(P_tmpdir "/weave.log", "r");
  assert(fgets(first, sizeof first, file));
  assert(!strcmp(first, "one\n"));
  return 0;
}
