/* A d_step in an atomic, and an atomic in an atomic: one indivisible sequence.
 * expect: holds
 * spin: 13 19
 */
byte x;

active [2] proctype P() {
  atomic {
    x++;
    atomic { x++ };
    d_step { x--; x-- };
  };
  assert(x == 0)
}
