/* Who the parent is depends on whether it has ended: not modelled.
 * expect: unknown
 * reason: complete for the operations seen
 * run: run
 */
#include <assert.h>
#include <unistd.h>

int main(void) {
  if (fork()) return 0;
  if (fork()) return 0;
  assert(getppid() > 1);
}
