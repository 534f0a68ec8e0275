/* Peterson's algorithm for N processes, the "filter lock": N - 1 levels, each of which holds one process back.
 * G. L. Peterson, 1981; the name is from M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming", 2008.
 * Why: the waiting condition ranges over all others and is evaluated one process at a time.
 * expect: holds
 * spin: 29876 83611
 */
#ifndef N
#define N 3
#endif
byte level[N];
byte victim[N];
byte inside;

active [N] proctype P() {
  byte l, k;
  do
  :: l = 1;
     do
     :: l < N ->
        level[_pid] = l;
        victim[l] = _pid;
        k = 0;
        do
        :: k < N && (k == _pid || level[k] < l || victim[l] != _pid) -> k++
        :: k == N -> break
        od;
        l++
     :: l == N -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     level[_pid] = 0
  od
}
