/* What one child writes, who has waited for the other sees or not.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t first = fork();
  if (!first) {
    *shared = 1;
    _exit(0);
  }
  pid_t second = fork();
  if (!second) _exit(0);
  waitpid(second, 0, 0);
  assert(*shared == 1);
  waitpid(first, 0, 0);
  return 0;
}
