/* A run with too few arguments. SPIN 6.5.2 crashes on it (segmentation fault).
 * expect: rejected
 */
proctype P(byte a; byte b) {
  assert(a + b > 0)
}

init {
  run P(1)
}
