/* timeout is true when no other statement of any process is executable: an escape from a would-be deadlock.
 * expect: holds
 * spin: 21 22
 */
chan q = [0] of { byte };
byte rescued;

active proctype Waiter() {
  do
  :: q ? _ -> break
  :: timeout -> rescued++; break
  od
}

active proctype Busy() {
  byte i;
  do
  :: i < 3 -> assert(rescued == 0); i++
  :: i == 3 -> break
  od;
  timeout;                  /* both may now wait for the quiet */
  assert(rescued <= 1)
}
