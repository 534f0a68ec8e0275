/* The alternating bit protocol whose sender believes every acknowledgement without looking at its bit.
 * After Bartlett, Scantlebury, Wilkinson, CACM 12(5), 1969.
 * Why: an acknowledgement of a resent item is taken for that of the next one; an item is lost without anyone noticing.
 * expect: violated
 * expect assertion: violated
 * spin: 1418 3628
 */
mtype = { data, ack };
#define ITEMS 4
chan forth = [1] of { mtype, bit, byte };
chan back  = [1] of { mtype };

active proctype Sender() {
  bit b;
  byte item;
  do
  :: forth ! data, b, item
  :: back ? ack -> b = 1 - b; item = (item + 1) % ITEMS
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
     back ! ack
  od
}

active proctype Thief() {
  do
  :: forth ? data, _, _
  :: back ? ack
  od
}
