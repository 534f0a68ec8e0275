/* Initial values may use constants and expressions of them; locals may use parameters, globals and _pid, in their order.
 * expect: holds
 * spin: 6 6
 */
#define BASE 3
byte a = BASE * 2 + 1;
short b = -(BASE);

proctype P(byte n) {
  byte x = n + 1;
  byte y = x * 2;
  byte z = a + _pid;
  assert(x == 6 && y == 12 && z == 8)
}

init {
  assert(a == 7 && b == -3);
  run P(5)
}
