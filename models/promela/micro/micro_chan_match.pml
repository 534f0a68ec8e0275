/* Constants, eval(expression) and _ in receives: constants and eval must match, _ matches all and keeps nothing.
 * expect: holds
 * spin: 12 12
 */
#define FIVE 5
mtype = { go };
chan q = [3] of { mtype, byte, byte };

init {
  byte x = 2, y;
  q ! go, 5, 3;
  q ! go, 6, 4;
  if
  :: q ? go, eval(x), y -> assert(false)
  :: q ? go, FIVE, y -> assert(y == 3)
  fi;
  x = 5;
  q ? go, eval(x + 1), y;
  assert(x == 5 && y == 4);
  q ! go, 1, 1;
  q ? _, _, y;
  assert(y == 1)
}
