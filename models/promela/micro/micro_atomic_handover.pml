/* A rendezvous send inside atomic hands control to the receiver if that one is in atomic too.
 * The manual: control passes to the receiving process; no other process gets a step in between.
 * expect: holds
 * spin: 8 8
 */
chan q = [0] of { byte };
byte x;

active proctype Sender() {
  atomic {
    x = 1;
    q ! 5;
    assert(x == 2 || x == 7);
    x = 3
  }
}

active proctype Receiver() {
  byte v;
  atomic {
    q ? v;
    assert(x == 1 && v == 5);       /* no other process stepped in */
    x = 2
  }
}

active proctype Nosy() {
  if
  :: x == 1 -> x = 7; assert(false)
  :: x == 3 -> skip
  fi
}
