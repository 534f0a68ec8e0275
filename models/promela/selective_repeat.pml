/* Selective repeat with window 2: the receiver keeps items that come out of order; numbers modulo 4 = 2 * window.
 * After A. S. Tanenbaum, "Computer Networks", chapter on the data link layer.
 * Why: arrays as buffers on both sides, random loss, a bounded number of items so that the run ends.
 * expect: holds
 * spin: 19332 57638
 */
#define W 2
#define M 4
#ifndef ITEMS
#define ITEMS 4
#endif
chan line = [1] of { byte, byte };
chan acks = [1] of { byte };
bool done;

active proctype Sender() {
  byte base, k;                      /* base: position of the first unacknowledged item */
  bool acked[W];
  do
  :: base < ITEMS ->
     if
     :: !acked[0] -> line ! base % M, base
     :: base + 1 < ITEMS && !acked[1] -> line ! (base + 1) % M, base + 1
     :: acks ? k ->
        if
        :: k == base % M -> acked[0] = true
        :: k == (base + 1) % M && base + 1 < ITEMS -> acked[1] = true
        :: else
        fi
     fi;
     do
     :: acked[0] -> acked[0] = acked[1]; acked[1] = false; base++
     :: else -> break
     od
  :: base == ITEMS -> break
  od;
  done = true
}

active proctype Receiver() {
  byte base, seq, item;
  bool have[W];
  byte kept[W];
  byte next;
  do
  :: line ? seq, item ->
     if
     :: seq == base % M -> have[0] = true; kept[0] = item
     :: seq == (base + 1) % M -> have[1] = true; kept[1] = item
     :: else
     fi;
     do
     :: have[0] ->
        assert(kept[0] == next);
        next++;
        have[0] = have[1]; kept[0] = kept[1]; have[1] = false; kept[1] = 0;
        base++
     :: else -> break
     od;
     acks ! seq
  :: timeout -> break
  :: done && empty(line) -> break
  od
}

active proctype Noise() {
  do
  :: line ? _, _
  :: acks ? _
  :: done && empty(acks) && empty(line) -> break
  od
}
