/* Sliding window, go-back-N: window W, sequence numbers modulo M = W + 1, cumulative acknowledgements, lossy line.
 * After A. S. Tanenbaum, "Computer Networks", chapter on the data link layer; V. Cerf and R. Kahn, 1974.
 * Why: M = W + 1 is exactly enough; with -D M=2 (see go_back_n_short.pml) it breaks. Items carry their true position
 *      modulo ITEMS, which is larger than M, so the receiver can tell an old item from a new one.
 * expect: holds
 * spin: 76369 256809
 */
#ifndef W
#define W 2
#endif
#ifndef M
#define M 3
#endif
#define ITEMS 6
chan line = [2] of { byte, byte };   /* sequence number, item */
chan acks = [2] of { byte };         /* next expected sequence number */

active proctype Sender() {
  byte base, sent, item, ack;        /* base: first unacknowledged; sent: how many beyond it */
  do
  :: sent < W -> line ! (base + sent) % M, (item + sent) % ITEMS; sent++
  :: sent > 0 -> sent = 0            /* time-out: go back */
  :: acks ? ack ->
     if
     :: (ack + M - base) % M <= W -> /* everything before ack has arrived */
        item = (item + (ack + M - base) % M) % ITEMS;
        sent = (sent > (ack + M - base) % M -> sent - (ack + M - base) % M : 0);
        base = ack
     :: else
     fi
  od
}

active proctype Receiver() {
  byte expected, next, seq, item;
  do
  :: line ? seq, item ->
     if
     :: seq == expected ->
        assert(item == next);
        next = (next + 1) % ITEMS;
        expected = (expected + 1) % M
     :: else
     fi;
     acks ! expected
  od
}

active proctype Noise() {
  do
  :: line ? _, _
  :: acks ? _
  od
}
