/* Which of two processes has the lower number depends on the order in which their parents fork,
 * which is not explored: the answer says so under `assumes`.
 * expect: holds
 * assumes: no decision depends on which addresses
 * run: run
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *number;

static void fork_once(int which) {
  int child = fork();
  if (!child) _exit(0);
  number[which] = child;
  waitpid(child, 0, 0);
}

int main(void) {
  number = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int other = fork();
  fork_once(other == 0);
  if (!other) _exit(0);
  waitpid(other, 0, 0);
  return number[0] == number[1];
}
