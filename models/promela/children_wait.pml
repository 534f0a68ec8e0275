/* A process creates 120 others, and each of them waits for a condition that never holds.
 * Why: states grow by a part with each process, until keys must be made anew from other parts.
 *      The search looped there, or took the processes of another shape for those of the state.
 * expect: violated
 * expect deadlock: violated
 */
proctype Child() { false }

init {
  byte made;
  do
  :: made < 120 -> run Child(); made++
  :: else -> break
  od
}
