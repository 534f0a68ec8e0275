/* Receive with < >: the values are read, the message stays. Also with ??.
 * expect: holds
 * spin: 14 14
 */
chan q = [3] of { byte };

init {
  byte v;
  q ! 5;
  q ! 6;
  q ? <v>;     assert(v == 5 && len(q) == 2);
  q ?? <6>;    assert(len(q) == 2);
  q ?? <v>;    assert(v == 5);
  q ? v;       assert(v == 5 && len(q) == 1);
  q ? 6;       assert(empty(q))
}
