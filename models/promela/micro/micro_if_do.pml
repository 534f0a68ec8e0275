/* Selections and loops choose among all executable options; every choice is explored; break leaves the innermost loop.
 * expect: holds
 * spin: 45 46
 */
byte hits[3];

init {
  byte n, total;
  do
  :: n < 2 ->
     if
     :: hits[0]++
     :: hits[1]++
     :: n > 0 -> hits[2]++
     fi;
     n++
  :: n == 2 ->
     do
     :: break
     od;
     break
  od;
  total = hits[0] + hits[1] + hits[2];
  assert(total == 2 && hits[2] <= 1)
}
