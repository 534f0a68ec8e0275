/* Shared variables as objects, as in the paper: reads and writes are visible operations by weave.h, and the lost update is found.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weave.h>

static void add(int *counter) {
  int seen = VS_read(*counter);
  VS_write(*counter, seen + 1);
}

int main(void) {
  int *counter = mmap(0, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  add(counter);
  if (child == 0) _exit(0);
  waitpid(child, 0, 0);
  VS_assert(*counter == 2);
  return 0;
}
