/* Choices in one atomic sequence that meet again: thousands of paths through a few states; with -D N=200 more than can be followed.
 * Why: without --raw, paths that meet are followed as one. And a statement of several control points (here the tests of the loop,
 *      before the first round and behind every other) is reached if it is reached at one of them.
 * expect: holds
 */
#ifndef N
#define N 12
#endif
byte i, x;
init {
  atomic {
    do
    :: i < N -> i++; if :: x = 0 :: x = 1 fi
    :: i == N -> break
    od
  };
  assert(x <= 1)
}
