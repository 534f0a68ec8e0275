/* Records that hold channels, and an array of them.
 * expect: holds
 * spin: 14 14
 */
typedef Port { chan in = [1] of { byte }; chan out = [1] of { byte }; byte count }
Port port[2];

active proctype Echo() {
  byte v;
end:
  do
  :: port[1].in ? v -> port[1].count++; port[1].out ! v + port[1].count
  od
}

init {
  byte v;
  port[1].in ! 5;
  port[1].out ? v;
  assert(v == 6 && empty(port[0].in));
  port[1].in ! 5;
  port[1].out ? v;
  assert(v == 7)
}
