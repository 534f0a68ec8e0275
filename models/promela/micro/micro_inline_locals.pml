/* A variable declared in an inline lives in the scope of the call: two calls do not clash if each stands in its own block.
 * expect: holds
 * spin: 19 19
 */
byte total;

inline add_twice(n) {
  byte i = 0;
  do
  :: i < 2 -> total = total + n; i++
  :: i == 2 -> break
  od
}

init {
  { add_twice(3) };
  { add_twice(4) };
  assert(total == 14)
}
