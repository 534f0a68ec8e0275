/* Parameters are truncated like assignments.
 * expect: holds
 * spin: 5 5
 */
proctype P(byte a; bit b; short c) {
  assert(a == 255 && b == 1 && c == -1)
}

init {
  run P(-1, 3, 65535)
}
