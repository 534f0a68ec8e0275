/* The parent may end before its child asks for its number, and another process adopts the child.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <unistd.h>

int main(void) {
  pid_t parent = getpid();
  if (fork()) return 0;
  assert(getppid() == parent);
}
