/* De Bruijn's improvement of Knuth's mutual exclusion: the turn moves only if its holder has lost interest.
 * N. G. de Bruijn, "Additional comments on a problem in concurrent programming control", CACM 10(3), 1967.
 * Why: compared with knuth.pml it shows what a small change of an algorithm does to the state space.
 * expect: holds
 * spin: 32869 98608
 */
#ifndef N
#define N 3
#endif
mtype = { idle, asking, entering };
mtype control[N] = idle;
byte turn;
byte inside;

active [N] proctype P() {
  byte k;
ask:
  control[_pid] = asking;
scan:
  k = turn;
  do
  :: k == _pid -> break
  :: k != _pid && control[k] != idle -> goto scan
  :: k != _pid && control[k] == idle -> k = (k + N - 1) % N
  od;
  control[_pid] = entering;
  k = 0;
  do
  :: k < N && (k == _pid || control[k] != entering) -> k++
  :: k < N && k != _pid && control[k] == entering -> goto ask
  :: k == N -> break
  od;
  inside++;
  assert(inside == 1);
  inside--;
  if
  :: control[turn] == idle || turn == _pid -> turn = (turn + N - 1) % N
  :: else
  fi;
  control[_pid] = idle;
  goto ask
}
