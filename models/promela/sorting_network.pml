/* A pipeline of cells that sorts what runs through it: each keeps the smallest it has seen and passes on the rest.
 * After the systolic priority queues of C. E. Leiserson, 1979.
 * Why: processes that create their successors, channels handed from parent to child, rendezvous only.
 * expect: holds
 * spin: 64550 220343
 */
#ifndef N
#define N 4
#endif
chan result = [N] of { byte };

proctype Cell(chan in; byte left) {
  chan out = [0] of { byte };
  byte mine, v, k;
  in ? mine;
  if
  :: left > 1 -> run Cell(out, left - 1)
  :: else
  fi;
  for (k : 2 .. left) {
    in ? v;
    if
    :: v < mine -> out ! mine; mine = v
    :: else -> out ! v
    fi
  }
  result !! mine
}

init {
  chan feed = [0] of { byte };
  byte v, k;
  run Cell(feed, N);
  for (k : 1 .. N) {
    select (v : 1 .. 3);
    feed ! v
  }
  full(result);
  k = 0;
  do
  :: nempty(result) -> result ? v; assert(v >= k); k = v
  :: empty(result) -> break
  od
}
