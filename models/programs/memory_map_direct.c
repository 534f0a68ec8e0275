/* A direct system call maps new memory over a page that another thread writes.
 * expect: violated
 * run: run
 * reason: race
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *page;

static void *maps(void *unused) {
  syscall(SYS_mmap, page, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return unused;
}

int main(void) {
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t other;
  pthread_create(&other, 0, maps, 0);
  page[9] = 1;
  pthread_join(other, 0);
  return 0;
}
