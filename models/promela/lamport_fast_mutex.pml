/* Lamport's fast mutual exclusion: without contention, seven accesses to shared memory whatever N is.
 * L. Lamport, "A fast mutual exclusion algorithm", ACM TOCS 5(1), 1987 (Algorithm 2).
 * Why: goto in its natural place. Processes are numbered from 1, 0 in y means free.
 * expect: holds
 * spin: 147176 403333
 */
#ifndef N
#define N 3
#endif
byte x, y;
bool b[N + 1];
byte inside;

active [N] proctype P() {
  byte i = _pid + 1;
  byte j;
start:
  b[i] = true;
  x = i;
  if
  :: y != 0 ->
     b[i] = false;
     y == 0;
     goto start
  :: y == 0
  fi;
  y = i;
  if
  :: x != i ->
     b[i] = false;
     for (j : 1 .. N) {
       !b[j]
     }
     if
     :: y != i -> y == 0; goto start
     :: y == i
     fi
  :: x == i
  fi;
  inside++;
  assert(inside == 1);
  inside--;
  y = 0;
  b[i] = false;
  goto start
}
