/* inline is expansion of text: parameters are replaced by name, so the arguments can be assigned to.
 * expect: holds
 * spin: 13 13
 */
byte a = 1, b = 2;

inline swap(x, y) {
  tmp = x;
  x = y;
  y = tmp
}

inline rotate(x, y, z) {
  swap(x, y);
  swap(y, z)
}

init {
  byte tmp, c = 3;
  swap(a, b);
  assert(a == 2 && b == 1);
  rotate(a, b, c);
  assert(a == 1 && b == 3 && c == 2)
}
