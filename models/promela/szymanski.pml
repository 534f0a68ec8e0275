/* Szymanski's mutual exclusion: a waiting room whose door the last one in closes behind the group.
 * B. K. Szymanski, "A simple solution to Lamport's concurrent programming problem with linear wait", 1988.
 * Why: waits that quantify over all processes, read one flag at a time. 0 out, 1 wants in, 2 waits for others,
 *      3 in the doorway, 4 in the room with the door closed.
 * expect: holds
 * spin: 156913 443072
 */
#ifndef N
#define N 3
#endif
byte flag[N];
byte inside;

#define PAST(lo, hi, test) \
  k = lo; \
  do \
  :: k < hi && (test) -> k++ \
  :: k == hi -> break \
  od

active [N] proctype P() {
  byte k;
  bool company;
  do
  :: flag[_pid] = 1;
     PAST(0, N, flag[k] < 3);
     flag[_pid] = 3;
     company = false;
     k = 0;
     do
     :: k < N -> company = company || (flag[k] == 1); k++
     :: k == N -> break
     od;
     if
     :: company ->
        flag[_pid] = 2;
        k = 0;
        do
        :: flag[k] == 4 -> break
        :: flag[k] != 4 -> k = (k + 1) % N
        od
     :: else
     fi;
     flag[_pid] = 4;
     PAST(0, _pid, flag[k] < 2);
     inside++;
     assert(inside == 1);
     inside--;
     PAST(_pid + 1, N, flag[k] < 2 || flag[k] > 3);
     flag[_pid] = 0
  od
}
