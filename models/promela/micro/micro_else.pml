/* else is executable exactly if no other option is; it is evaluated at the moment of the choice.
 * expect: holds
 * spin: 39 64
 */
byte x;

active proctype P() {
  if
  :: x > 0 -> assert(x == 1)
  :: else -> skip
  fi;
  do
  :: x == 2 -> break
  :: x < 2 -> x++
  :: else -> assert(false)
  od
}

active proctype Q() {
  if
  :: x == 0 -> skip
  :: x == 1 -> skip
  :: x == 2 -> skip
  :: else -> assert(false)
  fi
}
