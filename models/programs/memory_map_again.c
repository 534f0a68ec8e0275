/* A page is mapped anew while another thread reads it.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <sys/mman.h>

static int *page;

static void *replaces(void *unused) {
  mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return unused;
}

int main(void) {
  volatile int seen;
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t other;
  pthread_create(&other, 0, replaces, 0);
  seen = *page;
  pthread_join(other, 0);
  return seen;
}
