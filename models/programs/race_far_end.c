/* A block is cleared while another thread reads its far end, pages away from its beginning.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char block[20000];

static void *writer(void *unused) {
  memset(block, 1, sizeof block);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  assert(block[15000] == 0);
  pthread_join(t, 0);
  return 0;
}
