/* An atomic sequence with several ways round in it: there is no end to its paths, but its states are few.
 * expect: violated
 */
byte x, y;

active proctype P() {
  atomic {
    do
    :: x = (x + 1) % 6
    :: y = (y + 1) % 6
    :: x == 3 && y == 2 -> break
    od
  }
}

active proctype Q() {
  assert(x != 3)
}
