/* Each writes its flag and reads the other's: under sequential consistency at least one sees the other.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int saw_y, saw_x;

static void *one(void *unused) {
  atomic_store(&x, 1);
  saw_y = atomic_load(&y);
  return unused;
}
static void *two(void *unused) {
  atomic_store(&y, 1);
  saw_x = atomic_load(&x);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(saw_x || saw_y);
  return 0;
}
