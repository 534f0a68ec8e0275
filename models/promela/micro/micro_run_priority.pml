/* A priority given with run: a more urgent child runs before its parent's next step, an equal one need not.
 * expect: holds
 * spin: 20 23
 */
byte order;

proctype P(byte expected) {
  assert(order == expected);
  order++
}

init {
  run P(0) priority 3;
  assert(order == 1);               /* init itself has priority 1 */
  run P(1) priority 20;
  assert(order == 2);
  run P(2);
  assert(order == 2 || order == 3)
}
