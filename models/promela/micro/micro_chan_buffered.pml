/* A buffered channel is first in, first out; a send waits while it is full, a receive while it is empty.
 * expect: holds
 * spin: 139 243
 */
chan q = [2] of { byte, bool };

active proctype Sender() {
  byte i;
  for (i : 1 .. 4) {
    q ! i, i % 2
  }
}

active proctype Receiver() {
  byte i, v;
  bool odd;
  for (i : 1 .. 4) {
    q ? v, odd;
    assert(v == i && odd == i % 2)
  }
}
