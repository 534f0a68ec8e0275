/* A record as message: its fields are spread over the message in order.
 * expect: holds
 * spin: 7 7
 */
typedef Point { byte x; byte y }
chan q = [2] of { byte, Point };

init {
  Point a, b;
  byte k;
  a.x = 3;
  a.y = 4;
  q ! 1, a;
  q ? k, b;
  assert(k == 1 && b.x == 3 && b.y == 4)
}
