/* Priorities are stronger than atomic: a more urgent child interrupts the atomic block that started it, as in SPIN 6.5.2.
 * So the children run in the order of their birth, not of their priorities.
 * expect: holds
 * spin: 15 15
 */
byte order;

proctype P(byte expected) {
  assert(order == expected);
  order++
}

init {
  atomic {
    run P(0) priority 3;
    run P(1) priority 20;
    run P(2) priority 7
  };
  assert(order == 3)
}
