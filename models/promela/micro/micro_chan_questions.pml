/* len, empty, nempty, full, nfull.
 * expect: holds
 * spin: 13 13
 */
chan q = [2] of { bit };

init {
  assert(len(q) == 0 && empty(q) && nfull(q));
  q ! 1;
  assert(len(q) == 1 && nempty(q) && nfull(q));
  q ! 0;
  assert(len(q) == 2 && full(q) && nempty(q));
  do
  :: nempty(q) -> q ? _
  :: empty(q) -> break
  od;
  assert(len(q) == 0)
}
