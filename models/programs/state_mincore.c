/* Whether memory is there is asked while it is unmapped.
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
  unsigned char there;
  memory = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&thread, 0, other, 0);
  assert(mincore(memory, 4096, &there) == 0);
  pthread_join(thread, 0);
  return 0;
}
