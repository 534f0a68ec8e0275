/* Peterson's algorithm, the turn set before the wish: both threads may be inside.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define WRONG
#include "spin_peterson.c"
