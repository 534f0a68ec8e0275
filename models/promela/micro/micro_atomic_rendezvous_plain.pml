/* A rendezvous out of an atomic to a receiver that is not in atomic: what happens to the sender's control?
 * The handshake is one step; the receiver has no atomic to go on with, so everyone may move, and the sender goes on later.
 * expect: holds
 * spin: 29 54
 */
chan q = [0] of { byte };
byte x;

active proctype Sender() {
  atomic {
    x = 1;
    q ! 5;
    x = x + 1
  };
  assert(x == 2 || x == 12)
}

active proctype Receiver() {
  q ? 5;
  assert(x >= 1)
}

active proctype Other() {
  if
  :: x > 0 -> x = x + 10
  :: timeout -> x = x + 10
  fi
}
