/* Remainder by zero in a guard. SPIN's verifier dies of a signal without a trace.
 * expect: violated
 * expect runtime: violated
 */
byte d;

active proctype P() {
  if
  :: 10 % d == 1 -> skip
  :: else
  fi
}
