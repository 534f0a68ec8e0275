/* timeout at the head of an atomic and inside one: it waits for the quiet of all the others.
 * expect: holds
 * spin: 14 16
 */
byte x;

active proctype P() {
  atomic { timeout -> assert(x == 3); x = 10 };
  assert(x == 10)
}

active proctype Q() {
  do
  :: x < 3 -> x++
  :: x >= 10 -> break
  od
}
