/* A configuration that one thread writes with stdio and another reads: it may be missing, empty or there.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static const char *const path = P_tmpdir "/weave.conf";

static void *writer(void *unused) {
  FILE *file = fopen(path, "w");
  fprintf(file, "size %d\n", 12);
  fclose(file);
  return unused;
}

int main(void) {
  pthread_t t;
  int size = -1;
  pthread_create(&t, 0, writer, 0);
  FILE *file = fopen(path, "r");
  if (file) assert(fscanf(file, "size %d", &size) == 1 && size == 12); /* it may be empty still */
  pthread_join(t, 0);
  return 0;
}
