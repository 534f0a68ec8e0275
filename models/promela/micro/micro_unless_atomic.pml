/* The escape of an unless is tried before each step, also between the steps of an atomic inside the main sequence.
 * A d_step is a single step and cannot be torn.
 * expect: holds
 * spin: 13 19
 */
byte x, y;

active proctype P() {
  {
    atomic { x = 1; x = 2; x = 3 };
    assert(false)
  } unless { x == 2 };
  assert(x == 2)
}

active proctype Q() {
  {
    d_step { y = 1; y = 2; y = 3 };
    assert(y == 3)
  } unless { y == 2 -> assert(false) }
}
