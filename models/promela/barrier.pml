/* A sense-reversing barrier: the last to arrive turns the sense, the others wait for it.
 * D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization", 1988.
 * Why: a reusable barrier; no thread is ever a whole phase ahead of another.
 * expect: holds
 * spin: 9472 24529
 */
#ifndef N
#define N 3
#endif
byte count = N;
bool sense;
byte phase[N];

active [N] proctype Thread() {
  bool mine;
  byte left, k;
  do
  :: phase[_pid] = (phase[_pid] + 1) % 4;
     d_step {
       for (k : 0 .. N - 1) {
         assert((phase[_pid] + 4 - phase[k]) % 4 <= 1)
       }
       k = 0
     };
     mine = !mine;
     d_step { count--; left = count };
     if
     :: left == 0 -> count = N; sense = mine
     :: else -> sense == mine
     fi
  od
}
