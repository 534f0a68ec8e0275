/* The result of a call is a structure, and written to memory that another thread reads: no call tells of that.
 * expect: unknown
 * run: run
 * reason: complete for the operations seen
 */
#include <pthread.h>

struct big { long part[6]; };
static struct big shared;

static __attribute__((noipa)) struct big make(long n) { return (struct big){{n, n, n, n, n, n}}; }
static void *writes(void *unused) {
  shared = make(3);
  return unused;
}

int main(void) {
  pthread_t writer;
  volatile long seen;
  pthread_create(&writer, 0, writes, 0);
  seen = shared.part[4];
  pthread_join(writer, 0);
  return seen == 7;
}
