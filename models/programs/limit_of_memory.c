/* A block that is longer than weave lets programs have: elsewhere it may be had.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *block = malloc((size_t)5 << 30);
  assert(!block);
}
