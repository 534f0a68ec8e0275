/* A channel of capacity 0: send and receive happen together, as one step; it is never seen full.
 * expect: holds
 * spin: 7 7
 */
chan q = [0] of { byte };
byte got;

active proctype Sender() {
  q ! 7;
  q ! 8
}

active proctype Receiver() {
  q ? got;
  assert(got == 7 && len(q) == 0);
  q ? got;
  assert(got == 8)
}
