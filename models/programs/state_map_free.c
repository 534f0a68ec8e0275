/* Memory is mapped where another thread unmaps some: only if it came first.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static char *memory;

static void *other(void *unused) {
  munmap(memory, 4096);
  return unused;
}

int main(void) {
  pthread_t thread;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  memory = mmap(0, 4096, PROT_READ, flags, -1, 0);
  pthread_create(&thread, 0, other, 0);
  assert(mmap(memory, 4096, PROT_READ, flags | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED);
  pthread_join(thread, 0);
  return 0;
}
