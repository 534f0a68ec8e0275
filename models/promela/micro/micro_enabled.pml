/* enabled(pid) in a claim: whether that process can take a step now. Here: whenever the lock is free, some process can move.
 * expect safety: holds
 * expect free_moves: holds
 * spin: 3 5
 */
bool lock;

active [2] proctype P() {
  do
  :: atomic { !lock -> lock = true };
     lock = false
  od
}

never free_moves {
  do
  :: !lock && !enabled(0) && !enabled(1) -> break
  :: else
  od
}
