/* As free_mutex.c, with memory that is unmapped.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t *mutex;
static void *end(void *unused) {
  munmap(mutex, 4096);
  return unused;
}

int main(void) {
  pthread_t thread;
  mutex = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_mutex_init(mutex, 0);
  pthread_create(&thread, 0, end, 0);
  pthread_mutex_lock(mutex);
  pthread_join(thread, 0);
  return 0;
}
