/* A direct system call throws away what is in a page while another thread reads it.
 * expect: violated
 * run: run
 * reason: race
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int *page;

static void *drops(void *unused) {
  syscall(SYS_madvise, page, 4096, MADV_DONTNEED);
  return unused;
}

int main(void) {
  volatile int seen;
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t other;
  pthread_create(&other, 0, drops, 0);
  seen = *page;
  pthread_join(other, 0);
  return seen;
}
