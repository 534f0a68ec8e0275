/* The same server without its end label: when the client is gone it waits at a state that is no valid end.
 * expect: violated
 * expect deadlock: violated
 * spin: 3 3
 */
chan q = [0] of { bit };

active proctype Server() {
  do
  :: q ? 0
  od
}

active proctype Client() {
  q ! 0
}
