/* A message is offered while another process stands before a choice with a fault in it: the fault is that process's own, not one
 * of the handshake, and the sender waits until R is ready.
 * expect: violated
 */
chan q = [0] of { bit };
byte a[2];
bit taken;

active proctype P() {
  atomic { q!1; taken = 1 }
}

active proctype Q() {
  if :: a[_nr_pr] == 1 :: false fi
}

active proctype R() {
  bit b;
  b = 1;
  q?b
}
