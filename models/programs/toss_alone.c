/* Tosses of a single process: a tree of choices, no interleaving at all. 27 runs.
 * expect: holds
 * run: run
 */
#include <weave.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += weave_toss(2);
  weave_assert(sum <= 6);
  return 0;
}
