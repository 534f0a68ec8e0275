/* The same in order.
 * expect: holds
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
  pthread_join(t, 0);
  FILE *file = fopen(path, "r");
  assert(file && fscanf(file, "size %d", &size) == 1 && size == 12);
  return 0;
}
