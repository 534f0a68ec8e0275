/* A file that is longer than weave lets programs make one: elsewhere it can be made.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int file = open(P_tmpdir "/a", O_RDWR | O_CREAT, 0600);
  assert(ftruncate(file, (off_t)20 << 30) != 0);
}
