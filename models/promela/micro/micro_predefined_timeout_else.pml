/* else and timeout side by side: else belongs to the selection, timeout to the whole system.
 * expect: holds
 * spin: 8 8
 */
byte x;

active proctype P() {
  do
  :: x == 1 -> break
  :: timeout -> x = 1
  od
}

active proctype Q() {
  if
  :: x == 1 -> skip
  :: else -> assert(x == 0)
  fi
}
