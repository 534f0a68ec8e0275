/* Hyman's algorithm, published as correct and refuted by Knuth within months.
 * H. Hyman, "Comments on a problem in concurrent programming control", CACM 9(1), 1966.
 * Why: the historical wrong answer; both processes get into the critical section.
 * expect: violated
 * expect assertion: violated
 * spin: 96 183
 */
bool wants[2];
byte turn;
byte inside;

active [2] proctype P() {
  byte other = 1 - _pid;
  do
  :: wants[_pid] = true;
     do
     :: turn != _pid ->
        !wants[other];
        turn = _pid
     :: turn == _pid -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
