/* A segment is attached where another thread reads other memory (SHM_REMAP).
 * expect: violated
 * run: run
 * reason: race
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <sys/shm.h>

static char *page;

static void *attaches(void *unused) {
  shmat(shmget(IPC_PRIVATE, 100, 0600), page, SHM_REMAP);
  return unused;
}

int main(void) {
  volatile char seen;
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t other;
  pthread_create(&other, 0, attaches, 0);
  seen = page[200];
  pthread_join(other, 0);
  return seen;
}
