/* A break as the first statement of an option inside a d_step can be taken whatever follows the loop, and a d_step that ends
 * there does not go on into what follows it.
 * expect: violated
 * spin: 10 14
 */
byte x, y;

active proctype P() {
  d_step { do :: x < 3 -> x++ :: break od }
  y = 7
}

active proctype Q() {
  assert(x != 3 || y != 0)
}
