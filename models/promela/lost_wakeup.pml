/* The lost wake-up: a thread looks, finds nothing and goes to sleep, but the signal came between looking and sleeping.
 * After B. W. Lampson and D. D. Redell, "Experience with processes and monitors in Mesa", CACM 23(2), 1980.
 * Why: a condition variable without its mutex; the waiter sleeps forever.
 * expect: violated
 * expect deadlock: violated
 * spin: 21 29
 */
bool available, asleep;

active proctype Waiter() {
  if
  :: !available ->
     asleep = true;
     !asleep
  :: available
  fi;
  assert(available)
}

active proctype Signaller() {
  available = true;
  asleep = false
}
