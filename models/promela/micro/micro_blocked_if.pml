/* A selection without an executable option and without else blocks; here forever.
 * expect: violated
 * expect deadlock: violated
 * spin: 1 1
 */
byte x;

active proctype P() {
  if
  :: x == 1 -> skip
  :: x == 2 -> skip
  fi
}
