/* Jumps out of an atomic and into the middle of one: inside control is kept, outside it is not.
 * expect: holds
 * spin: 10 14
 */
byte x, y;

active proctype P() {
  byte n;
again:
  atomic {
    x++;
middle:
    y++;
    n++;
    if
    :: n == 1 -> x++; goto middle
    :: n == 2 -> goto out
    fi
  };
out:
  assert(x == y)
}

active proctype Q() {
  assert(x == y)
}
