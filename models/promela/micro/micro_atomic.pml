/* atomic: the steps follow each other without interleaving; no half-done state is seen.
 * expect: holds
 * spin: 169 430
 */
byte x, y;

active [3] proctype P() {
  atomic { x++; y++ };
  assert(x == y);
  atomic {
    if
    :: x = x + 2; y = y + 2
    :: skip
    fi
  }
}
