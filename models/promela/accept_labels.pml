/* An acceptance label in a process: no run may pass it infinitely often. This one can.
 * Why: acceptance cycles without a claim (pan -a).
 * expect safety: holds
 * expect acceptance: violated
 * spin: 4 5
 */
bit x;

active proctype P() {
  do
  :: x == 0 -> x = 1
  :: x == 1 ->
accept:
     x = 0
  od
}
