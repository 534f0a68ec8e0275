/* np_ is true while no process stands at a label that begins with "progress"; as a claim: no run goes on forever without progress.
 * expect safety: holds
 * expect moves_on: holds
 * spin: 8 9
 */
byte x;

active proctype P() {
  do
  :: x < 3 ->
progress: x++
  :: x == 3 -> x = 0
  od
}

ltl moves_on { [] <> !np_ }
