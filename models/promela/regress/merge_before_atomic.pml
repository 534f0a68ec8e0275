/* A step of its own before an atomic sequence that begins with a local step: others may move between the two, so x may be 2
 * when y is computed. Merging the two steps once took that away.
 * expect: violated
 * spin: 25 32
 */
byte x, y;

active proctype P() {
  byte l;
  x = 1;
  atomic { l = 1; y = x + l }
  assert(y == 2)
}

active proctype Q() { x = 2 }
