/* Dining philosophers, everyone left-handed: all take the left fork and wait for the right one.
 * E. W. Dijkstra, "Hierarchical ordering of sequential processes" (EWD 310), 1971; the story is C. A. R. Hoare's.
 * Why: the deadlock of every textbook; partial-order reduction and breadth-first search both show on it.
 * expect: violated
 * expect deadlock: violated
 * spin: 160 441
 */
#ifndef N
#define N 4
#endif
bool fork[N];

active [N] proctype Philosopher() {
  byte left = _pid;
  byte right = (_pid + 1) % N;
  do
  :: atomic { !fork[left] -> fork[left] = true };
     atomic { !fork[right] -> fork[right] = true };
eat: skip;
     fork[right] = false;
     fork[left] = false
  od
}
