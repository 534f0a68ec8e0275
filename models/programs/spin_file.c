/* A loop whose only change is in the kernel (the offset of a file): it is not taken for a wait.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;
static int file;

static void *waiter(void *unused) {
  while (!atomic_load(&ready)) {
    if (lseek(file, 1, SEEK_CUR) > 7) break;
  }
  assert(atomic_load(&ready));
  return unused;
}

int main(void) {
  pthread_t t;
  file = open("/proc/self/exe", O_RDONLY);
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&ready, 1);
  pthread_join(t, 0);
  return 0;
}
