/* Dining philosophers, the last one takes the forks in the other order: no circular wait.
 * Resource ordering after J. W. Havender, "Avoiding deadlock in multitasking systems", IBM Systems Journal, 1968.
 * Why: the deadlock of philosophers_deadlock.pml is gone; neighbours never eat together.
 * expect: holds
 * spin: 1248 4137
 */
#ifndef N
#define N 4
#endif
bool fork[N];
bool eating[N];

active [N] proctype Philosopher() {
  byte first = _pid;
  byte second = (_pid + 1) % N;
  if
  :: _pid == N - 1 -> first = 0; second = N - 1
  :: else
  fi;
  do
  :: atomic { !fork[first] -> fork[first] = true };
     atomic { !fork[second] -> fork[second] = true };
     eating[_pid] = true;
     assert(!eating[(_pid + 1) % N] && !eating[(_pid + N - 1) % N]);
     eating[_pid] = false;
     fork[second] = false;
     fork[first] = false
  od
}
