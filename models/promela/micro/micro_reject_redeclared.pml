/* The same name twice in one scope.
 * expect: rejected
 */
init {
  byte x = 1;
  short x = 2;
  assert(x == 2)
}
