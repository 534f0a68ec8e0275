/* The preprocessor: macros with and without arguments, nested, over several lines, conditions, undef, include, # inside.
 * expect: holds
 * spin: 8 8
 */
#define N 3
#define DOUBLE(x) ((x) * 2)
#define PLUS(a, b) (a + b)
#define LONG(v) \
  v = PLUS(v, DOUBLE(N)); \
  v++
#if N > 2 && !defined(MISSING)
#define BIG 1
#else
#define BIG 0
#endif
#ifdef MISSING
this is not Promela
#elif N == 3
#define THREE 1
#else
neither is this
#endif
#undef N
#ifndef N
#define N 4
#endif
#include "include/shared.h"

init {
  byte x = 1;
  LONG(x);                       /* N is 4 by now: 1 + 8 + 1 */
  assert(x == 10 && BIG && THREE);
  assert(FROM_HEADER == 42);
  from_header(x);                // an inline of the header
  assert(x == 11)
}
