/* SPIN's issues 81 and 82: only weak fairness per process exists there. A semaphore that one process takes again and again
 * starves the other under weak fairness; under strong fairness it does not.
 * run: check --fairness strong
 * expect safety: holds
 * expect served: holds
 * spin: 8 12
 */
bool taken;
bool served_once;

active proctype Greedy() {
  do
  :: atomic { !taken -> taken = true };
     taken = false
  od
}

active proctype Patient() {
  atomic { !taken -> taken = true };
  served_once = true;
  taken = false
}

ltl served { <> served_once }
