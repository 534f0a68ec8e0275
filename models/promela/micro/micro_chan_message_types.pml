/* Message fields have types: what is sent is truncated to the field, what is received to the variable.
 * expect: holds
 * spin: 5 5
 */
chan q = [1] of { bit, byte, short, int };

init {
  bit a;
  byte b;
  short c;
  int d;
  q ! 3, 300, 70000, -5;
  q ? a, b, c, d;
  assert(a == 1 && b == 44 && c == 4464 && d == -5)
}
