/* Advice about one byte is advice about its page: what lies behind it there is thrown away, too.
 * expect: violated
 * run: run
 * reason: race
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static char *page;

static void *drops(void *unused) {
  madvise(page, 1, MADV_DONTNEED);
  return unused;
}

int main(void) {
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t other;
  pthread_create(&other, 0, drops, 0);
  page[4095] = 1;
  pthread_join(other, 0);
  return 0;
}
