/* The same label twice in one process.
 * expect: rejected
 */
init {
  byte x;
again:
  x = 1;
again:
  x = 2;
  goto again
}
