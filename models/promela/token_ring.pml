/* A token ring: the process that holds the token may use the shared medium, then passes it on.
 * After the token-passing rings of W. Farmer and E. Newhall, 1969, and IEEE 802.5.
 * Why: processes created with channels as parameters; the token is a message; no other process is inside.
 * expect: holds
 * spin: 26 32
 */
#ifndef N
#define N 5
#endif
chan link[N] = [1] of { bit };
byte using;

proctype Station(chan in, out) {
  do
  :: in ? _ ->
     if
     :: using++; assert(using == 1); using--
     :: skip
     fi;
     out ! 1
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) { run Station(link[i], link[(i + 1) % N]) }
    link[0] ! 1
  }
}
