/* P[i]:x reads the local variable x of process i.
 * expect: holds
 * spin: 5 5
 */
active proctype P() {
  byte x = 3;
  x = x + 2;
  end: false
}

active proctype Q() {
  P[0]:x == 5;
  assert(P[0]:x + 1 == 6)
}
