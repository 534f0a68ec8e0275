/* A timeout waits until no other process can move: the watchdog fires only after the worker has stopped, in every order.
 * Why: the watchdog's branches are in no future while the worker can move, and are all taken when it cannot.
 * expect: violated
 * expect assertion: violated
 * expect deadlock: holds
 */
byte done, alarms;
chan tick = [2] of { bit };

active proctype Worker() {
  tick ! 1;
  tick ! 0;
  done = 1
}

active proctype Watchdog() {
  do
  :: tick ? _
  :: timeout -> alarms++; break
  :: timeout -> assert(done == 0); break
  od
}

active proctype Bystander() {
  byte i;
  do
  :: i < 3 -> i++
  :: else -> break
  od;
  assert(alarms == 0 || done == 1)
}
