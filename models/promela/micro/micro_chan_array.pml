/* An array of channels; a copy of a channel variable means the same channel.
 * expect: holds
 * spin: 19 19
 */
chan q[3] = [1] of { byte };

init {
  chan c;
  byte i, v;
  for (i : 0 .. 2) {
    q[i] ! i + 10
  }
  c = q[1];
  c ? v;
  assert(v == 11 && empty(q[1]) && full(q[0]) && full(q[2]));
  i = 2;
  q[i] ? v;
  assert(v == 12)
}
