/* The memory of a process is written as a file.
 * expect: unknown
 * run: run
 * reason: uncontrolled: memory that is used as a file
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static volatile int cell;

static void *writes(void *unused) {
  int one = 1, memory = open("/proc/self/mem", O_RDWR);
  pwrite(memory, &one, sizeof one, (off_t)&cell);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, writes, 0);
  assert(cell == 0);
  pthread_join(other, 0);
  return 0;
}
