/* An escape that begins with a rendezvous receive: tried before every step of the main sequence.
 * expect: holds
 * spin: 17 26
 */
chan stop = [0] of { bit };
byte x;

active proctype P() {
  do
  :: x = (x + 1) % 4
  od unless { stop ? 1 -> x = 9 };
  assert(x == 9)
}

active proctype Q() {
  stop ! 1
}
