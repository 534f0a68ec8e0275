/* A structure is copied as a block while another thread writes it: the copy may be half old and half new.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>

static struct pair {
  long a, b;
} pair;

static void *writer(void *unused) {
  pair.a = 1;
  pair.b = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  struct pair copy = pair;
  assert(copy.a == copy.b);
  pthread_join(t, 0);
  return 0;
}
