/* -D on the command line overrides what the text only defines if it is missing.
 * run: check -D N=4
 * expect: holds
 * spin: 23 40
 */
#ifndef N
#define N 2
#endif
byte count;

active [N] proctype P() {
  count++
}

init {
  _nr_pr == 1 || count == N;
  assert(N == 4)
}
