/* Operators, their precedence and C's arithmetic: division and remainder towards zero, shifts, bit operations, conditional.
 * expect: holds
 * spin: 12 12
 */
int x, y;

init {
  x = 7; y = 2;
  assert(x / y == 3 && x % y == 1 && -x / y == -3 && -x % y == -1);
  assert((x & y) == 2 && (x | 8) == 15 && (x ^ y) == 5 && ~x == -8);
  assert(1 << 3 == 8 && 9 >> 1 == 4 && -8 >> 1 == -4);
  assert((x > y -> 1 : 0) == 1 && (x < y -> 1 : 0) == 0);
  assert(1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 2 - 3 - 4 == -5);
  assert(!0 == 1 && !5 == 0 && (x && y) == 1 && (0 || 0) == 0);
  assert((1 | 2 & 0) == 1 && (x == 7 && y == 2 || false));
  assert(3 > 2 == true && (1 < 2) + (2 < 1) == 1)
}
