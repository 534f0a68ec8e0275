/* A copy reads first and writes later: what another thread writes to both in between is lost.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct text {
  char bytes[32];
} from, to;

static void *writer(void *unused) {
  from.bytes[0] = 1;
  to.bytes[0] = 5;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  memcpy(&to, &from, sizeof to);
  pthread_join(t, 0);
  assert(to.bytes[0] != 0);
  return 0;
}
