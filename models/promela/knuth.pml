/* Knuth's mutual exclusion, the first without starvation for N processes.
 * D. E. Knuth, "Additional comments on a problem in concurrent programming control", CACM 9(5), 1966.
 * Why: a scan that goes round a ring downwards from the turn, restarting at each obstacle.
 * expect: holds
 * spin: 23105 69316
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
  turn = _pid;
  inside++;
  assert(inside == 1);
  inside--;
  turn = (_pid + N - 1) % N;
  control[_pid] = idle;
  goto ask
}
