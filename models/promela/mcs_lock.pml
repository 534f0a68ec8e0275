/* MCS queue lock: each waiter spins on its own flag; the queue is linked through the waiters.
 * J. Mellor-Crummey and M. Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors", 1991.
 * Why: pointers as array indices, swap and compare-and-swap as atomic blocks.
 * expect: holds
 * spin: 14429 39718
 */
#ifndef N
#define N 3
#endif
#define NIL 255
byte tail = NIL;
byte successor[N] = NIL;
bool locked[N];
byte inside;

active [N] proctype P() {
  byte before;
  do
  :: successor[_pid] = NIL;
     atomic { before = tail; tail = _pid };
     if
     :: before != NIL ->
        locked[_pid] = true;
        successor[before] = _pid;
        !locked[_pid]
     :: before == NIL
     fi;
     inside++;
     assert(inside == 1);
     inside--;
     if
     :: successor[_pid] == NIL ->
        if
        :: atomic { tail == _pid -> tail = NIL }
        :: successor[_pid] != NIL -> locked[successor[_pid]] = false
        fi
     :: successor[_pid] != NIL -> locked[successor[_pid]] = false
     fi;
     before = NIL
  od
}
