/* Leader election on a unidirectional ring in O(n log n) messages: active nodes compare the two values before them.
 * D. Dolev, M. Klawe, M. Rodeh, Journal of Algorithms 3(3), 1982; independently G. L. Peterson, TOPLAS 4(4), 1982.
 * Why: active and passive roles, two kinds of message, values travel away from the nodes that chose them.
 * expect: holds
 * spin: 1647 4834
 */
#ifndef N
#define N 4
#endif
mtype = { one, two, winner };
chan ring[N] = [2] of { mtype, byte };
byte leaders;

proctype Node(byte i; byte own) {
  byte value = own;
  byte n, nearest;
  bool active_node = true;
  chan in = ring[i];
  chan out = ring[(i + 1) % N];
  out ! one, own;
  do
  :: in ? one, n ->
     if
     :: active_node && n == value ->
        leaders++;
        assert(leaders == 1 && value == N);
        out ! winner, value;
        in ? winner, _;
        break
     :: active_node && n != value ->
        nearest = n;
        out ! two, n
     :: !active_node -> out ! one, n
     fi
  :: in ? two, n ->
     if
     :: active_node && nearest > n && nearest > value ->
        value = nearest;
        out ! one, value
     :: active_node && !(nearest > n && nearest > value) -> active_node = false
     :: !active_node -> out ! two, n
     fi
  :: in ? winner, n ->
     out ! winner, n;
     break
  od
}

init {
  atomic {
    byte i;
    for (i : 0 .. N - 1) {
      run Node(i, (i * 3 + 1) % N + 1)
    }
  }
}
