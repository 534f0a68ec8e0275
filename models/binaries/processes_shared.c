/* Two processes add to one counter in memory that they share, unseen.
 * compile: cc -O2
 * expect: unknown
 * reason: complete for the operations seen: 1 run, no violation; the memory that 2 processes share is not seen
 * assumed: holds
 */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  volatile int *count = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int child = fork();
  int seen = *count;
  *count = seen + 1;
  if (child == 0) _exit(0);
  waitpid(child, 0, 0);
  assert(*count == 2);
  return 0;
}
