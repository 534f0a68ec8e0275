/* A block that is longer than all addresses can be had nowhere.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  volatile size_t size = SIZE_MAX / 4;
  assert(!malloc(size) && !calloc(size, 8));
}
