/* Poll with [ ]: an expression that says whether the receive could happen; no effect, may be combined with others.
 * expect: holds
 * spin: 10 10
 */
chan q = [2] of { byte, bit };
byte x = 4;

init {
  assert(!(q ? [4, 0]));
  q ! 3, 1;
  q ! 4, 0;
  assert(q ? [3, 1] && !q ? [4, 0] && q ?? [4, 0]);
  assert(q ?? [eval(x), 0] && !q ?? [eval(x), 1] && q ? [_, 1]);
  if
  :: q ? [3, _] && x == 4 -> q ? _, _
  fi;
  assert(len(q) == 1 && q ? [4, 0])
}
