/* A loop that does nothing, forever: legal, one state, no deadlock.
 * SPIN refuses it: "has unconditional self-loop".
 * expect: holds
 */
active proctype Idle() {
  do
  :: skip
  od
}
