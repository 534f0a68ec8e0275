/* The three for loops: a range, the indices of an array, the messages of a channel (which turns once and is left as it was).
 * expect: holds
 * spin: 52 52
 */
typedef Msg { byte kind; byte value }
byte a[4];
chan q = [3] of { Msg };

init {
  byte i, sum;
  Msg m;
  for (i : 1 .. 3) {
    sum = sum + i
  }
  assert(sum == 6 && i == 4);
  for (i in a) {
    a[i] = i * i
  }
  assert(a[0] == 0 && a[3] == 9);
  m.kind = 1; m.value = 10;
  q ! m;
  m.kind = 2; m.value = 20;
  q ! m;
  sum = 0;
  for (m in q) {
    sum = sum + m.value
  }
  assert(sum == 30 && len(q) == 2);
  sum = 4;
  for (i : 5 .. sum) {
    assert(false)
  }
}
