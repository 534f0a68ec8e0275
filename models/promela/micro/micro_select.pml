/* select chooses any value of a range, bounds included; all are explored.
 * expect: holds
 * spin: 20 20
 */
byte x;

init {
  byte lo = 2;
  select (x : lo .. lo + 3);
  assert(x >= 2 && x <= 5)
}
