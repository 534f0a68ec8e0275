/* Peterson's mutual exclusion with the first two assignments swapped: turn is given away before the wish is announced.
 * Why: the classic broken variant; both processes get in. Shows how little it takes.
 * expect: violated
 * expect assertion: violated
 * spin: 98 187
 */
bool wants[2];
byte turn;
byte inside;

active [2] proctype P() {
  byte other = 1 - _pid;
  do
  :: turn = other;
     wants[_pid] = true;
     (!wants[other] || turn == _pid);
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
