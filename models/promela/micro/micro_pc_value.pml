/* pc_value(pid) in a claim: the number of the control state of a process; only equality between two processes is portable.
 * expect safety: holds
 * expect one_ahead: violated
 * spin: 13 19
 */
byte x;

active [2] proctype P() {
  x++;
  x--
}

never one_ahead {
  do
  :: pc_value(0) != pc_value(1) -> break
  :: else
  od
}
