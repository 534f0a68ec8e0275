/* The lengths of huge pages are in their size, which depends on the machine: not known.
 * expect: unknown
 * run: run
 * reason: uncontrolled: memory in huge pages
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static void *other(void *unused) { return unused; }

int main(void) {
  mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  return 0;
}
