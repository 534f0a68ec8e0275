/* select reaches its upper bound too: the assertion that it does not is violated.
 * expect: violated
 * expect assertion: violated
 * spin: 16 16
 */
byte x;

init {
  select (x : 0 .. 4);
  assert(x != 4)
}
