/* Two processes hand a token round through shared memory, spinning.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  atomic_int *turn = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int me = fork() == 0;
  for (int round = 0; round < 2; round++) {
    while (atomic_load(turn) % 2 != me) {}
    atomic_fetch_add(turn, 1);
  }
  if (me) _exit(0);
  wait(0);
  assert(atomic_load(turn) == 4);
  return 0;
}
