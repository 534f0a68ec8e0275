/* assert is always executable and checked whenever it is executed, not before.
 * expect: violated
 * expect assertion: violated
 * spin: 10 14
 */
byte x;

active proctype P() {
  x++;
  assert(x == 1)
}

active proctype Q() {
  x++
}
