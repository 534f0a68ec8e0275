/* Shared memory is mapped by its name and by its path: the two are one memory, which is not known.
 * expect: unknown
 * run: run
 * reason: uncontrolled: memory of shm_open
 */
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *maps(int file) { return mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0); }

int main(void) {
  int file = shm_open("/cell", O_CREAT | O_RDWR, 0600);
  assert(!ftruncate(file, 4096));
  volatile int *cell = maps(file), *same = maps(open("/dev/shm/cell", O_RDWR));
  if (!fork()) {
    *same = 1;
    _exit(0);
  }
  assert(*cell == 0);
  wait(0);
  return 0;
}
