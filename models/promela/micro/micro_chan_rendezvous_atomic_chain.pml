/* Control travels along a chain of handshakes between atomic blocks: first to last without anyone else.
 * expect: holds
 * spin: 9 11
 */
chan q[2] = [0] of { bit };
byte x;

active proctype First() {
  atomic { x == 0; x = 1; q[0] ! 0 }
}

active proctype Second() {
  atomic { q[0] ? 0; x = 2; q[1] ! 0 }
}

active proctype Third() {
  atomic { q[1] ? 0; assert(x == 2); x = 3 }
}

active proctype Nosy() {
  assert(x == 0 || x == 3)
}
