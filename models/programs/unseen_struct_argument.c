/* A structure goes to a function by value while another thread writes it. The compiler instruments no argument of a call: said to be unseen.
 * expect: unknown
 * run: run
 * reason: complete for the operations seen
 */
#include <pthread.h>

struct pair { long a, b; };
static struct pair shared;

static __attribute__((noipa)) long sum(struct pair p) { return p.a + p.b; }
static void *reads(void *unused) {
  return sum(shared) == 7 ? unused : 0;
}

int main(void) {
  pthread_t reader;
  pthread_create(&reader, 0, reads, 0);
  shared.b = 1;
  pthread_join(reader, 0);
  return 0;
}
