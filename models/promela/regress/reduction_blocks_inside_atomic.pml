/* An atomic sequence that may block in its middle: A stops before the receive if nothing is there yet, and B then sees g == 1.
 * Why: a reduction that took the send for independent of A's step sent first, A went through at once, and the failure was lost.
 *      In the middle of a step, an operation that may block also asks whether it is possible.
 * expect: violated
 * expect assertion: violated
 * expect deadlock: holds
 */
byte g;
chan c = [1] of { byte };

active proctype A() {
  atomic {
    g = 1;
    c ? _;
    g = 0
  }
}

active proctype B() {
  assert(g == 0)
}

init {
  c ! 1
}
