/* Leader election on a unidirectional ring: forward larger numbers, swallow smaller ones.
 * E. Chang and R. Roberts, "An improved algorithm for decentralized extrema-finding", CACM 22(5), 1979.
 * Why: a ring of buffered channels; all interleavings end with exactly one leader, the largest.
 * expect: holds
 * spin: 524 1341
 */
#ifndef N
#define N 4
#endif
mtype = { candidate, elected };
chan ring[N] = [N] of { mtype, byte };
byte leaders;

proctype Node(byte i; byte number) {
  byte n;
  chan in = ring[i];
  chan out = ring[(i + 1) % N];
  out ! candidate, number;
  do
  :: in ? candidate, n ->
     if
     :: n > number -> out ! candidate, n
     :: n < number
     :: n == number ->
        leaders++;
        assert(leaders == 1 && number == N);
        out ! elected, number
     fi
  :: in ? elected, n ->
     if
     :: n == number
     :: else -> out ! elected, n
     fi;
     break
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run Node(i, (i * 3) % N + 1)
    }
  }
}
