/* Dekker's mutual exclusion: accessibility needs fairness; without it the other process may spin forever.
 * Th. J. Dekker, in E. W. Dijkstra (EWD 123), 1965.
 * Why: a property that is violated without fairness and holds with it (run with --fairness weak to see).
 * expect safety: holds
 * expect exclusion: holds
 * expect entry: violated
 * spin: 126 237
 */
bool wants[2];
byte turn;
bool in[2];

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
     in[_pid] = true;
     in[_pid] = false;
     turn = other;
     wants[_pid] = false
  od
}

ltl exclusion { [] !(in[0] && in[1]) }
ltl entry     { [] (wants[0] -> <> in[0]) }
