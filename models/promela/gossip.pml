/* Gossip: four people, each with a secret; a call shares everything both know. When no one calls any more, all know all.
 * After A. V. Boyd's telephone problem, about 1970.
 * Why: sets as bit vectors; a call happens only if it is useful to someone, so that the run ends.
 * expect: holds
 * spin: 205 1161
 */
#define N 4
#define ALL 15
byte knows[N];

#define call(other) \
  d_step { knows[me] != knows[other] -> knows[me] = knows[me] | knows[other]; knows[other] = knows[me] }

proctype Person(byte me) {
end:
  do
  :: call((me + 1) % N)
  :: call((me + 2) % N)
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) { knows[i] = 1 << i }
    for (i : 0 .. N - 1) { run Person(i) }
  };
  timeout;
  for (i : 0 .. N - 1) { assert(knows[i] == ALL) }
}
