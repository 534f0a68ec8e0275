/* The alternating bit protocol over channels that may lose any message, data or acknowledgement.
 * K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, "A note on reliable full-duplex transmission", CACM 12(5), 1969.
 * Why: the fruit fly of protocol verification. The receiver asserts that items arrive in order, none lost, none twice.
 *      Two thieves lose messages; the sender resends whenever it likes, which abstracts from timers.
 * expect: holds
 * spin: 1310 4348
 */
mtype = { data, ack };
#define ITEMS 4
chan forth = [2] of { mtype, bit, byte };
chan back  = [2] of { mtype, bit };

active proctype Sender() {
  bit b, seen;
  byte item;
  do
  :: forth ! data, b, item
  :: back ? ack, seen ->
     if
     :: seen == b -> b = 1 - b; item = (item + 1) % ITEMS
     :: else
     fi
  od
}

active proctype Receiver() {
  bit expected, b;
  byte item, next;
  do
  :: forth ? data, b, item ->
     if
     :: b == expected ->
        assert(item == next);
        next = (next + 1) % ITEMS;
        expected = 1 - expected
     :: else
     fi;
     back ! ack, b
  od
}

active proctype Thief() {
  do
  :: forth ? data, _, _
  :: back ? ack, _
  od
}
