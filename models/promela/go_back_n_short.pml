/* Go-back-N with a window of 2 and only two sequence numbers: one too few.
 * After A. S. Tanenbaum, "Computer Networks", chapter on the data link layer (the exercise on the size of the number space).
 * Why: the off-by-one of every first implementation; an old item is delivered as new.
 * expect: violated
 * expect assertion: violated
 * spin: 96067 300297
 */
#define W 2
#define M 2
#define ITEMS 3
chan line = [2] of { byte, byte };
chan acks = [1] of { byte };

active proctype Sender() {
  byte base, sent, item, ack;
  do
  :: sent < W -> line ! (base + sent) % M, (item + sent) % ITEMS; sent++
  :: sent > 0 -> sent = 0
  :: acks ? ack ->
     if
     :: ack != base -> item = (item + 1) % ITEMS; sent = (sent > 0 -> sent - 1 : 0); base = ack
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
