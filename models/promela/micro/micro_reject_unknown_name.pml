/* A name that was never declared.
 * expect: rejected
 */
byte x;

init {
  x = 1;
  y = x + 1;
  assert(y == 2)
}
