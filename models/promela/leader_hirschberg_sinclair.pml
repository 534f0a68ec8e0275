/* Leader election on a bidirectional ring: in round r a candidate probes 2^r neighbours on each side.
 * D. S. Hirschberg and J. B. Sinclair, "Decentralized extrema-finding in circular configurations of processors", CACM 23(11), 1980.
 * Why: two directions, hop counts, and replies that retrace the probe's way; three nodes keep it small.
 * expect: holds
 * spin: 4773 11575
 */
#define N 3
mtype = { probe, reply, won };
chan clockwise[N] = [4] of { mtype, byte, byte };     /* messages travelling right, by receiver */
chan widdershins[N] = [4] of { mtype, byte, byte };   /* messages travelling left, by receiver */
byte leaders;

proctype Node(byte i; byte own) {
  byte n, hops, replies;
  byte reach = 1;
  chan from_left = clockwise[i];
  chan from_right = widdershins[i];
  chan to_right = clockwise[(i + 1) % N];
  chan to_left = widdershins[(i + N - 1) % N];
  to_right ! probe, own, reach;
  to_left ! probe, own, reach;
  do
  :: from_left ? probe, n, hops ->
     if
     :: n == own -> goto elected
     :: n > own && hops > 1 -> to_right ! probe, n, hops - 1
     :: n > own && hops == 1 -> to_left ! reply, n, 0
     :: n < own
     fi
  :: from_right ? probe, n, hops ->
     if
     :: n == own -> goto elected
     :: n > own && hops > 1 -> to_left ! probe, n, hops - 1
     :: n > own && hops == 1 -> to_right ! reply, n, 0
     :: n < own
     fi
  :: from_left ? reply, n, _ ->
     if
     :: n == own -> replies++
     :: else -> to_right ! reply, n, 0
     fi
  :: from_right ? reply, n, _ ->
     if
     :: n == own -> replies++
     :: else -> to_left ! reply, n, 0
     fi
  :: replies == 2 ->
     replies = 0;
     reach = reach * 2;
     to_right ! probe, own, reach;
     to_left ! probe, own, reach
  :: from_left ? won, n, _ ->
     to_right ! won, n, 0;
     goto leave
  od;
elected:
  leaders++;
  assert(leaders == 1 && own == N);
  to_right ! won, own, 0;
leave:
  skip
}

init {
  atomic {
    run Node(0, 2);
    run Node(1, 1);
    run Node(2, 3)
  }
}
