/* Advice that changes nothing, beside accesses.
 * expect: holds
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *page;

static void *advises(void *unused) {
  madvise(page, 4096, MADV_WILLNEED);
  syscall(SYS_madvise, page, 4096, MADV_SEQUENTIAL);
  return unused;
}

int main(void) {
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t other;
  pthread_create(&other, 0, advises, 0);
  page[1] = 1;
  pthread_join(other, 0);
  assert(page[1] == 1);
  return 0;
}
