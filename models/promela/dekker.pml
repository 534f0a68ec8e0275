/* Dekker's mutual exclusion for two processes, the first correct solution.
 * Th. J. Dekker, described by E. W. Dijkstra in "Cooperating sequential processes" (EWD 123), 1965.
 * Why: nested loops and waiting on a shared turn.
 * expect: holds
 * spin: 146 275
 */
bool wants[2];
byte turn;
byte inside;

active [2] proctype P() {
  byte other = 1 - _pid;
  do
  :: wants[_pid] = true;
     do
     :: !wants[other] -> break
     :: wants[other] ->
        if
        :: turn == other ->
           wants[_pid] = false;
           (turn == _pid);
           wants[_pid] = true
        :: turn == _pid
        fi
     od;
     inside++;
     assert(inside == 1);
     inside--;
     turn = other;
     wants[_pid] = false
  od
}
