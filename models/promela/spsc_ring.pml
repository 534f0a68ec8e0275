/* A ring buffer for one producer and one consumer without locks: each writes only its own index.
 * L. Lamport, "Proving the correctness of multiprocess programs", IEEE TSE 3(2), 1977.
 * Why: one slot stays free to tell full from empty; what is read was written, in order.
 * expect: holds
 * spin: 431 754
 */
#define SIZE 3
byte ring[SIZE];
byte head, tail;

active proctype Producer() {
  byte item;
  do
  :: (tail + 1) % SIZE != head ->
     ring[tail] = item;
     tail = (tail + 1) % SIZE;
     item = (item + 1) % 4
  od
}

active proctype Consumer() {
  byte expected;
  do
  :: head != tail ->
     assert(ring[head] == expected);
     head = (head + 1) % SIZE;
     expected = (expected + 1) % 4
  od
}
