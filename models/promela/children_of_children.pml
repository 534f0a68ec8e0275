/* Each process creates the next, a hundred deep; one in the middle of them may see g at 1.
 * Why: a random model with many processes. The store gave states other keys when it was encoded
 *      anew, and the search, with reduction, said that this holds.
 * expect: violated
 * expect assertion: violated
 */
int g, h;

proctype P(int k) {
  int y;
  if
  :: k > 0 -> run P(k - 1)
  :: else
  fi;
end:
  k == 55 && h == 1;
  assert(g != 1)
}

init {
  run P(102);
  g = 1;
  h = 1;
  g = 2
}
