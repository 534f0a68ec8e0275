/* Structures by value that only one thread knows are no reason for doubt, whatever the compiler does with them.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

struct big { long part[6]; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static __attribute__((noipa)) struct big make(long n) { return (struct big){{n, 1, 1, 1, 1, 1}}; }
static __attribute__((noipa)) long sum(struct big b) { return b.part[0] + b.part[5]; }
static void *adds(void *unused) {
  struct big mine = make(2);
  long n = sum(mine);
  pthread_mutex_lock(&lock);
  total += n;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, adds, 0);
  adds(0);
  pthread_join(other, 0);
  assert(total == 6);
  return 0;
}
