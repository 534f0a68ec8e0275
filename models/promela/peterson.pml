/* Peterson's mutual exclusion for two processes.
 * G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981.
 * Why: the smallest algorithm worth checking; every reader knows its answer.
 * expect: holds
 * spin: 38 65
 */
bool wants[2];
byte turn;
byte inside;

active [2] proctype P() {
  byte other = 1 - _pid;
  do
  :: wants[_pid] = true;
     turn = other;
     (!wants[other] || turn == _pid);
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
