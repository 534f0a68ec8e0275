/* Burns' one-bit mutual exclusion: one shared bit per process, the theoretical minimum.
 * J. Burns and N. Lynch, "Mutual exclusion using indivisible reads and writes", 1980.
 * Why: backward gotos into the middle of a process and asymmetric loops over lower and higher numbers.
 * expect: holds
 * spin: 8909 26066
 */
#ifndef N
#define N 3
#endif
bool flag[N];
byte inside;

active [N] proctype P() {
  byte k;
  do
  :: skip;
retry:
     flag[_pid] = false;
     k = 0;
     do
     :: k < _pid && flag[k] -> goto retry
     :: k < _pid && !flag[k] -> k++
     :: k == _pid -> break
     od;
     flag[_pid] = true;
     k = 0;
     do
     :: k < _pid && flag[k] -> goto retry
     :: k < _pid && !flag[k] -> k++
     :: k == _pid -> break
     od;
     k = _pid + 1;
     do
     :: k < N && !flag[k] -> k++
     :: k == N -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     flag[_pid] = false
  od
}
