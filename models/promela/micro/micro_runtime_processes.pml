/* More than 255 processes: run fails. SPIN says "too many processes" and stops.
 * expect: violated
 * expect runtime: violated
 */
proctype P() {
  false
}

init {
  do
  :: run P()
  od
}
