/* Priority inversion as on Mars Pathfinder: the low task holds the bus that the high task waits for, and may not run.
 * G. Reeves, "What really happened on Mars", 1997; L. Sha, R. Rajkumar, J. Lehoczky, "Priority inheritance protocols", 1990.
 * Why: scheduling by `provided` clauses. The low task may run only while the high one is idle, so that a high task
 *      that waits for the bus waits forever.
 * expect: violated
 * expect deadlock: violated
 * spin: 12 15
 */
mtype = { idle, waiting, running };
mtype high = idle, low = idle;
bool bus_locked;

active proctype High() {
end:
  do
  :: high = waiting;
     atomic { !bus_locked -> bus_locked = true };
     high = running;
     atomic { high = idle; bus_locked = false }
  od
}

active proctype Low() provided (high == idle) {
end:
  do
  :: low = waiting;
     atomic { !bus_locked -> bus_locked = true };
     low = running;
     atomic { low = idle; bus_locked = false }
  od
}
