/* Priority inheritance cures pathfinder.pml: while the low task holds the lock that the high one waits for, it may run.
 * L. Sha, R. Rajkumar, J. Lehoczky, "Priority inheritance protocols", IEEE Transactions on Computers 39(9), 1990.
 * Why: the provided clause with the inherited priority; no deadlock is left. Release before idle, even in atomic: the
 *      clause is evaluated at every step, and the other way round the task would stop between the two.
 * expect: holds
 * spin: 8 12
 */
mtype = { idle, waiting, running };
mtype high = idle, low = idle;
bool bus_locked;

active proctype High() {
end:
  do
  :: high = waiting;
     atomic { !bus_locked -> bus_locked = true; high = running };
     atomic { high = idle; bus_locked = false }
  od
}

active proctype Low() provided (high == idle || (high == waiting && low == running)) {
end:
  do
  :: low = waiting;
     atomic { !bus_locked -> bus_locked = true; low = running };
     atomic { bus_locked = false; low = idle }
  od
}
